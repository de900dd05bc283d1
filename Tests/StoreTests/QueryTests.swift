import Support
import Testing

@testable import Store

private struct OwnerID: SQLParameter {
    var sqlValue: UniqueID
}

@Suite("A query", .timeLimit(.minutes(10)))
struct QueryTests {
    private static let nasty = "'); DROP TABLE x; -- $1 \" \\ ⟨"

    @Test("has its literals as text and what is interpolated as parameters")
    func hasText() {
        let (word, number) = (Self.nasty, Int64(3))
        let query: Query = "SELECT \(word)::text, \(number), '$'"
        #expect(query.text == "SELECT $1::text, $2, '$'")
        #expect(query.parameters.types == [SQLType.text, SQLType.int8])
        #expect(("SELECT 1" as Query).text == "SELECT 1")
    }

    @Test("is pasted only from texts of the program")
    func isPasted() {
        let columns: SQL = "a, b"
        let order: SQL = "\(columns) DESC"
        let query: Query = "SELECT \(columns) FROM t WHERE a = \(Int32(1)) ORDER BY \(order)"
        #expect(query.text == "SELECT a, b FROM t WHERE a = $1 ORDER BY a, b DESC")
    }

    @Test("marks what limits it to an owner, so that a test can take it out")
    func marksOwner() {
        let user = OwnerID(sqlValue: UniqueID(high: 1, low: 2))
        let query: Query = "SELECT FROM t WHERE \(owner: "t.user_id", is: user) AND a = \(true)"
        #expect(query.text == "SELECT FROM t WHERE /*owner*/(t.user_id = $1)/*own*/ AND a = $2")
        #expect(OwnerPredicate.removed(from: query.text) == "SELECT FROM t WHERE true AND a = $2")
        #expect(query.parameters.types == [SQLType.uuid, SQLType.bool])
    }

    @Test("binds every kind of value, NULL and arrays with their types")
    func bindsValues() async throws {
        let database = Database.test(try await TestDatabase.empty())
        let (none, time): (String?, TimestampValue?) = (nil, nil)
        let (numbers, gaps): ([Int64], [Numeric?]) = ([1, .max], [Numeric(units: 15, scale: 1), nil])
        let query: Query = """
            SELECT \(Self.nasty), \(none), \(time), \(numbers), \(gaps)::text, \([UInt8]([0, 255])),
                \([String]())
            """
        let row = try #require(
            try await database.first(query) { row in
                (
                    texts: [try row.text(), try row.textOrNil()], time: try row.timestampOrNil(),
                    numbers: try row.int64Array(), gaps: try row.text(), bytes: try row.bytes(),
                    words: try row.textArray()
                )
            })
        #expect(row.texts == [Self.nasty, nil])
        #expect(row.time == nil)
        #expect(row.numbers == numbers)
        #expect(row.gaps == "{1.5,NULL}")
        #expect(row.bytes == [0, 255])
        #expect(row.words == [])
        await database.close()
    }

    @Test("is prepared once for a text, whatever it binds")
    func isPreparedOnce() async throws {
        let database = Database.test(try await TestDatabase.empty(), connections: 1)
        let names = try await database.withSession { session in
            for number in 0..<5 {
                #expect(try session.first("SELECT \(Int64(number))") { try $0.int64() } == Int64(number))
                #expect(try session.exists("SELECT FROM pg_class WHERE relname = \("\(number)")") == false)
            }
            return try session.rows(
                "SELECT statement FROM pg_prepared_statements ORDER BY prepare_time"
            ) { try $0.text() }
        }
        #expect(names.prefix(2) == ["SELECT $1", "SELECT FROM pg_class WHERE relname = $1"])
        #expect(names.count == 3)
        await database.close()
    }

    @Test("reads every column of a row or says which is left")
    func readsAll() async throws {
        let database = Database.test(try await TestDatabase.empty())
        let error = await storeError {
            try await database.rows("SELECT 1::bigint, 2::bigint") { try $0.int64() }
        }
        guard case .column("readsAll()", 1, .unread(columns: 2)) = error else { throw Unexpected() }
        await database.close()
    }

    @Test("gives on what a reader throws of its own")
    func givesOnErrors() async throws {
        struct Own: Error {}
        let database = Database.test(try await TestDatabase.empty())
        let error = await storeError { try await database.rows("SELECT 1::bigint") { _ in throw Own() } }
        guard case .body(let body) = error, body is Own else { throw Unexpected() }
        await database.close()
    }

    @Test("counts what it changed, alone and in a batch")
    func counts() async throws {
        let database = Database.test(try await TestDatabase.empty())
        try await database.script("CREATE TABLE public.thing (id bigint)")
        let affected = try await database.withSession { session in
            var batch = StatementBatch()
            for number in 0..<3 { batch.append("INSERT INTO public.thing VALUES (\(Int64(number)))") }
            let sent = try session.send(batch)
            return sent + [try session.execute("DELETE FROM public.thing WHERE id > \(Int64(0))")]
        }
        #expect(affected == [1, 1, 1, 2])
        await database.close()
    }
}
