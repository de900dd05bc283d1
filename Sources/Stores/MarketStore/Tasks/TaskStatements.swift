import Instruments
public import Store

/// Makes the row of a task that has none.
struct SeedTask: Statement {
    typealias Row = Void
    static let sql = "INSERT INTO market.task (name) VALUES ($1) ON CONFLICT DO NOTHING"

    let name: String

    func bind(_ parameters: inout Parameters) { parameters.append(name) }
}

/// Locks a task and says whether it can be had.
struct LockTask: Statement {
    static let sql = """
        SELECT epoch, failures, source, due_at <= clock_timestamp(),
            owner IS NULL OR expires_at <= clock_timestamp()
        FROM market.task WHERE name = $1 FOR UPDATE
        """

    struct Known: Sendable {
        var epoch: Int64
        var failures: Int
        var source: String
        var isDue: Bool
        var isFree: Bool
    }

    let name: String

    func bind(_ parameters: inout Parameters) { parameters.append(name) }

    static func decode(_ row: inout RowReader) throws(StoreError) -> Known {
        Known(
            epoch: try row.int64(), failures: Int(try row.int32()), source: try row.text(),
            isDue: try row.bool(), isFree: try row.bool())
    }
}

/// Takes a task, whoever had it.
struct TakeTask: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE market.task SET owner = $2, source = $3, epoch = epoch + 1,
            expires_at = clock_timestamp() + $4 * interval '1 microsecond'
        WHERE name = $1
        """

    let name: String
    let instance: String
    let source: String
    let duration: Duration

    func bind(_ parameters: inout Parameters) {
        parameters.append(name)
        parameters.append(instance)
        parameters.append(source)
        parameters.append(duration.wholeMicroseconds)
    }
}

/// Prolongs a claim, also one that is over as long as nobody else took it; counts no row otherwise.
struct ProlongTask: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE market.task SET expires_at = clock_timestamp() + $4 * interval '1 microsecond'
        WHERE name = $1 AND owner = $2 AND epoch = $3
        """

    let claim: TaskClaim
    let duration: Duration

    func bind(_ parameters: inout Parameters) {
        parameters.append(claim.name)
        parameters.append(claim.instance)
        parameters.append(claim.epoch)
        parameters.append(duration.wholeMicroseconds)
    }
}

/// Gives a task back and says when it is due again.
struct EndTask: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE market.task SET
            owner = NULL, due_at = clock_timestamp() + $4 * interval '1 microsecond', detail = $6,
            done_at = CASE WHEN $5 THEN clock_timestamp() ELSE done_at END,
            failures = CASE WHEN $5 THEN 0 ELSE failures + 1 END
        WHERE name = $1 AND owner = $2 AND epoch = $3
        """

    let claim: TaskClaim
    let wait: Duration
    let isDone: Bool
    let detail: String

    func bind(_ parameters: inout Parameters) {
        parameters.append(claim.name)
        parameters.append(claim.instance)
        parameters.append(claim.epoch)
        parameters.append(wait.wholeMicroseconds)
        parameters.append(isDone)
        parameters.append(detail)
    }
}

/// All tasks, by name.
public struct ListTasks: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT name, owner, greatest(due_at, timestamptz 'epoch'), done_at, failures, detail
        FROM market.task ORDER BY name
        """

    /// Asks for all.
    public init() {}

    /// Reads a task.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> TaskRow {
        TaskRow(
            name: try row.text(), owner: try row.textOrNil(),
            due: Timestamp(nanoseconds: try row.timestamp()),
            done: try row.timestampOrNil().map { Timestamp(nanoseconds: $0) },
            failures: Int(try row.int32()), detail: try row.text())
    }
}

extension Duration {
    /// Cut towards zero, at most a year.
    fileprivate var wholeMicroseconds: Int64 {
        let bounded = min(max(self, .zero), .seconds(366 * 86_400))
        return bounded.components.seconds * 1_000_000 + bounded.components.attoseconds / 1_000_000_000_000
    }
}
