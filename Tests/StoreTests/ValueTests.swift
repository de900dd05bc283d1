import Support
import Testing

@testable import Store

/// Every type of parameter and column, there and back through the server.
private struct Echo: Statement {
    static let sql = """
        SELECT $1::bigint, $2::integer, $3::smallint, $4::boolean, $5::text, $6::numeric, $7::bytea,
            $8::timestamptz, $9::bigint[], $10::text[], $6::numeric::text
        """

    struct Row: Sendable, Equatable {
        var int64: Int64?
        var int32: Int32?
        var int16: Int16?
        var bool: Bool?
        var text: String?
        var numeric: Numeric?
        var bytes: [UInt8]?
        var time: Int64?
        var numbers: [Int64]
        var words: [String]
        var numericText: String?
    }

    let row: Row

    func bind(_ parameters: inout Parameters) {
        parameters.append(row.int64)
        parameters.append(row.int32)
        parameters.append(row.int16)
        parameters.append(row.bool)
        parameters.append(row.text)
        parameters.append(row.numeric)
        parameters.append(bytes: row.bytes)
        parameters.append(timestamp: row.time)
        parameters.append(row.numbers)
        parameters.append(row.words)
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> Row {
        Row(
            int64: try row.int64OrNil(), int32: try row.int32OrNil(), int16: try row.int16OrNil(),
            bool: try row.boolOrNil(), text: try row.textOrNil(), numeric: try row.numericOrNil(),
            bytes: try row.bytesOrNil(), time: try row.timestampOrNil(), numbers: try row.int64Array(),
            words: try row.textArray(), numericText: try row.textOrNil())
    }
}

private struct TextColumn: Statement {
    static let sql = "SELECT 'a'::text"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}

private struct NullColumn: Statement {
    static let sql = "SELECT NULL::bigint"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}

private struct TooFewColumns: Statement {
    static let sql = "SELECT 1::bigint"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 {
        _ = try row.int64()
        return try row.int64()
    }
}

private struct Infinite: Statement {
    static let sql = "SELECT 'infinity'::timestamptz"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.timestamp() }
}

private struct NotANumber: Statement {
    static let sql = "SELECT 'NaN'::numeric"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Numeric { try row.numeric() }
}

@Suite("Values", .timeLimit(.minutes(10)))
struct ValueTests {
    @Test("extremes come back as they were sent")
    func extremes() async throws {
        let database = Database.test(try await TestDatabase.empty())
        let low = Echo.Row(
            int64: .min, int32: .min, int16: .min, bool: false, text: "",
            numeric: Numeric(units: .min, scale: 18),
            bytes: [], time: -9_223_372_036_854_775_000, numbers: [.min, 0, .max], words: ["", "Ω€𝄞\t'\"\\"],
            numericText: "-9.223372036854775808")
        let high = Echo.Row(
            int64: .max, int32: .max, int16: .max, bool: true, text: "Zürich ₿ 東京 🚀",
            numeric: Numeric("123456789012345678901234567890.123456789012345678"), bytes: [0, 255, 0],
            time: 9_223_372_036_854_775_000, numbers: [], words: [],
            numericText: "123456789012345678901234567890.123456789012345678")
        let null = Echo.Row(numbers: [1], words: [])
        for row in [low, high, null] {
            #expect(try await database.first(Echo(row: row)) == row)
        }
        await database.close()
    }

    @Test("decimals of thirty digits and eighteen places are exact, in binary and in the server's text")
    func decimals() async throws {
        let database = Database.test(try await TestDatabase.empty())
        var random = SeededGenerator(seed: 4)
        for _ in 0..<200 {
            let digits = String((0..<30).map { _ in "0123456789".randomElement(using: &random) ?? "0" })
            let places = Int.random(in: 0...18, using: &random)
            let text = places == 0 ? digits : "\(digits.dropLast(places)).\(digits.suffix(places))"
            let number = try #require(Numeric(text))
            let row = Echo.Row(numeric: number, numbers: [], words: [], numericText: number.description)
            #expect(try await database.first(Echo(row: row)) == row)
        }
        await database.close()
    }

    @Test("timestamps are rounded down to microseconds, also before 1970")
    func timestamps() async throws {
        let database = Database.test(try await TestDatabase.empty())
        for (sent, stored) in [(Int64(1_999), Int64(1_000)), (-1, -1_000), (-1_000, -1_000), (0, 0)] {
            let row = try await database.first(Echo(row: Echo.Row(time: sent, numbers: [], words: [])))
            #expect(row?.time == stored)
        }
        await database.close()
    }

    @Test("text with NUL is refused by its number before anything is sent, and the session goes on")
    func nul() async throws {
        let database = Database.test(try await TestDatabase.empty(), connections: 1)
        let row = Echo.Row(text: "a\0b", numbers: [], words: [])
        let error = await storeError { try await database.first(Echo(row: row)) }
        guard case .parameter("Echo", 5, .containsNUL) = error else { throw Unexpected() }
        let array = Echo.Row(numbers: [], words: ["fine", "\0"])
        let second = await storeError { try await database.first(Echo(row: array)) }
        guard case .parameter("Echo", 10, .containsNUL) = second else { throw Unexpected() }
        #expect(database.statistics.connectionsLost == 0)
        await database.close()
    }

    @Test("a row that does not fit says which column and why")
    func mismatches() async throws {
        let database = Database.test(try await TestDatabase.empty(), connections: 1)
        func problem<S: Statement>(_ statement: S) async throws -> (Int, ValueProblem) {
            let error = await storeError { try await database.first(statement) }
            guard case .column(_, let index, let problem) = error else { throw Unexpected() }
            return (index, problem)
        }
        #expect(try await problem(TextColumn()) == (1, .type(expected: SQLType.int8, found: SQLType.text)))
        #expect(try await problem(NullColumn()) == (1, .unexpectedNull))
        #expect(try await problem(TooFewColumns()) == (2, .missing(columns: 1)))
        #expect(try await problem(Infinite()) == (1, .outOfRange))
        #expect(try await problem(NotANumber()) == (1, .malformed(bytes: 8)))
        #expect(database.statistics.connects == 1)
        await database.close()
    }
}
