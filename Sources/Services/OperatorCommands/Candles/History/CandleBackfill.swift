import Instruments
import MarketData
import MarketState
import MarketStore
import Store
import Venues
import Web

/// What a backfill needs of the outside.
struct BackfillEnvironment: Sendable {
    /// What a server said.
    struct Answer: Sendable {
        var status: Int
        var body: [UInt8]
        var retryAfter: Duration?
    }

    /// The time of day.
    var now: @Sendable () -> Timestamp
    /// Nanoseconds that never go back.
    var uptime: @Sendable () -> Int64
    /// Waits so many nanoseconds.
    var pause: @Sendable (Int64) async throws -> Void
    /// GETs an address.
    var fetch: @Sendable (String) async throws(WebError) -> Answer
}

/// Fetches the candles of one length that are not stored from the venue's REST interface.
///
/// Each page is stored before the next is asked for, so that a run that was interrupted goes on where it
/// ended. The venue's pace is kept, and what it asks for on top: `Retry-After` of 429, 418 and 503.
/// Minutes are made into all longer candles that they complete; a length that the venue lacks comes from
/// them alone.
struct CandleBackfill {
    /// Failures in a row after which it gives up.
    private static let attempts = 6
    /// A venue that asks for more patience than this is left alone.
    ///
    /// Nanoseconds.
    private static let patience: Int64 = 300_000_000_000

    private let history: VenueCandleHistory
    private let instrument: Instrument
    /// What the venue is asked for.
    private let interval: CandleInterval
    private let wanted: CandleInterval
    private let database: Database
    private let environment: BackfillEnvironment
    private var bucket: TokenBucket
    private(set) var stored = 0
    private var found = 0

    /// - Throws: ``CommandFailure`` when the venue has no candles of this length, nor minutes to make it of.
    init(
        _ history: VenueCandleHistory, of instrument: Instrument, _ interval: CandleInterval,
        into database: Database, environment: BackfillEnvironment
    ) throws(CommandFailure) {
        let isMade = !history.lengths.contains(interval.seconds) && LongerCandles.intervals.contains(interval)
        let asked = isMade ? CandleInterval.minute : interval
        guard history.lengths.contains(asked.seconds) else {
            let names = CandleInterval.allCases.filter { history.lengths.contains($0.seconds) }.map(
                \.rawValue)
            throw CommandFailure(
                .usage,
                "\(history.venue) has no candles of \(interval.rawValue) that begin where ours do; it has "
                    + names.joined(separator: ", "))
        }
        self.history = history
        self.instrument = instrument
        self.interval = asked
        wanted = interval
        self.database = database
        self.environment = environment
        bucket = TokenBucket(capacity: history.pace.capacity, refillEvery: history.pace.refillEvery)
    }

    /// Fetches what is missing of the candles that begin in a span, and makes longer ones of minutes.
    ///
    /// - Throws: ``CommandFailure`` when the venue refuses or cannot be reached, or `StoreError`.
    mutating func run(_ span: Range<Timestamp>) async throws {
        guard interval == .minute else { return try await fetch(missingOf: span) }
        let whole = Self.whole(span, wanted)
        try await fetch(missingOf: whole)
        // Also where no minute was missing: an earlier run may have ended before this.
        let made = try await LongerCandles(id: instrument.id, database: database).roll(
            whole, at: environment.now())
        guard wanted != .minute else { return }
        var bar = ProgressBar("\(instrument.id) \(wanted.rawValue)", unit: "candles", total: 0)
        try bar.end(
            "\(instrument.id) \(wanted.rawValue): \(made[wanted] ?? 0) made of minutes and stored")
    }

    /// The candles that begin in a span, whole.
    private static func whole(_ span: Range<Timestamp>, _ interval: CandleInterval) -> Range<Timestamp> {
        func ceiling(_ time: Timestamp) -> Timestamp {
            let start = interval.start(of: time)
            return start == time ? start : interval.end(from: start)
        }
        let first = ceiling(span.lowerBound)
        return first..<max(first, ceiling(span.upperBound))
    }

    private mutating func fetch(missingOf span: Range<Timestamp>) async throws {
        let runs = try await database.candleRuns(
            of: instrument.id, interval, from: span.lowerBound, to: span.upperBound)
        let missing = MissingCandles.ranges(in: span, besides: runs, of: interval, at: environment.now())
        let total = MissingCandles.count(missing, of: interval)
        let began = environment.uptime()
        var bar = ProgressBar("\(instrument.id) \(interval.rawValue)", unit: "candles", total: total)
        var done = 0
        for range in stretches(missing) {
            var next = range.lowerBound
            while next < range.upperBound {
                let page = history.page(
                    of: instrument.id.symbol, seconds: interval.seconds, from: next, to: range.upperBound)
                try await fetch(page)
                done += MissingCandles.count(
                    missing.map { $0.clamped(to: page.from..<page.to) }, of: interval)
                next = page.to
                try bar.show(done, after: environment.uptime() - began)
            }
        }
        try bar.end(summary(total))
    }

    /// Where only the newest candles can be had, one question is about all of them.
    private func stretches(_ missing: [Range<Timestamp>]) -> [Range<Timestamp>] {
        guard history.reach != nil, let first = missing.first, let last = missing.last else { return missing }
        return [first.lowerBound..<last.upperBound]
    }

    private func summary(_ total: Int) -> String {
        guard total > 0 else { return "\(instrument.id) \(interval.rawValue): nothing is missing" }
        var text = "\(instrument.id) \(interval.rawValue): \(stored) of \(total) missing candles stored"
        guard found < total else { return text }
        text += "; \(history.venue) has none of the others"
        if let reach = history.reach { text += ", it gives only its newest \(reach)" }
        return text
    }

    // MARK: - One page

    private mutating func fetch(_ page: HistoryPage) async throws {
        var backoff = Backoff(cap: 30_000_000_000)
        var generator = SystemRandomNumberGenerator()
        while true {
            try await keepPace()
            switch try await ask(page) {
            case .success(let candles): return try await store(candles)
            case .failure(let trouble):
                guard backoff.failures + 1 < Self.attempts, trouble.wait <= Self.patience else {
                    throw CommandFailure(
                        trouble.status,
                        "\(history.venue): \(trouble.text); what was fetched is stored, run it again later")
                }
                try await environment.pause(backoff.delay(atLeast: trouble.wait, using: &generator))
            }
        }
    }

    /// Waits until the venue's pace allows another page.
    private mutating func keepPace() async throws {
        while !bucket.take(history.pace.cost, at: environment.uptime()) {
            try await environment.pause(bucket.wait(for: history.pace.cost, at: environment.uptime()))
        }
    }

    /// What may pass if it is asked again.
    private struct TransientFailure: Error {
        var text: String
        var status: CommandStatus
        /// Nanoseconds that the venue asks to wait.
        var wait: Int64 = 0
    }

    /// - Throws: ``CommandFailure`` for what will not pass.
    private func ask(_ page: HistoryPage) async throws -> Result<[HistoryCandle], TransientFailure> {
        let answer: BackfillEnvironment.Answer
        do throws(WebError) {
            answer = try await environment.fetch(page.url)
        } catch {
            guard case .retry = error.disposition else {
                throw CommandFailure(.unreachable, "\(history.venue): \(error)")
            }
            return .failure(TransientFailure(text: "\(error)", status: .unreachable))
        }
        let wait = answer.retryAfter.map { $0.components.seconds * 1_000_000_000 } ?? 0
        return try answer.body.withUnsafeBytes { body in
            switch answer.status {
            case 200: return try read(body, of: page)
            // 418 is Binance's word for an address that did not heed 429.
            case 418, 429, 500...:
                let text = "the venue answers with \(answer.status)"
                return .failure(TransientFailure(text: text, status: .unreachable, wait: wait))
            default:
                throw CommandFailure(
                    .failed, "\(history.venue) answers with \(answer.status): \(history.refusal(body))")
            }
        }
    }

    private func read(
        _ body: UnsafeRawBufferPointer, of page: HistoryPage
    ) throws -> Result<[HistoryCandle], TransientFailure> {
        do throws(HistoryError) {
            return .success(try history.parse(body, of: page, at: environment.now()))
        } catch {
            guard case .busy = error else { throw CommandFailure(.failed, "\(history.venue): \(error)") }
            return .failure(TransientFailure(text: "\(error)", status: .unreachable))
        }
    }

    private mutating func store(_ candles: [HistoryCandle]) async throws {
        var batch = CandleBatch()
        for candle in candles {
            guard let row = CandleRow(candle, interval, of: instrument) else {
                throw CommandFailure(
                    .failed,
                    "\(history.venue): the candle of \(candle.start.plain) has more than 18 digits or places")
            }
            batch.append(row, of: instrument.id)
        }
        stored += try await database.fill(batch).written
        found += candles.count
    }
}
