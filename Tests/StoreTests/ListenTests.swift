import Support
import Synchronization
import Testing

@testable import Store

@Suite("Listen", .timeLimit(.minutes(10)))
struct ListenTests {
    @Test("hears what is committed, and nothing that was rolled back")
    func hears() async throws {
        let database = Database.test(try await TestDatabase.empty())
        var events = database.listen(to: ["News", "other"]).makeAsyncIterator()
        #expect(await events.next() == .listening)
        _ = await storeError {
            try await database.transaction { session in
                try session.script("NOTIFY \"News\", 'lost'")
                throw Unexpected()
            }
        }
        try await database.script("SELECT pg_notify('News', 'héllo')")
        #expect(await events.next() == .notification(channel: "News", payload: "héllo"))
        await database.close()
        #expect(await events.next() == nil)
    }

    @Test("after a lost connection it says so, listens again, and asks to read the table")
    func reconnects() async throws {
        let configuration = try await TestDatabase.empty()
        let database = Database.test(configuration)
        var events = database.listen(to: ["news"]).makeAsyncIterator()
        #expect(await events.next() == .listening)
        try await database.script(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'LISTEN%'
            """)
        #expect(await events.next() == .lost)
        #expect(await events.next() == .listening)
        try await database.script("NOTIFY news")
        #expect(await events.next() == .notification(channel: "news", payload: ""))
        await database.close()
    }

    @Test("a slow reader gets one request to read the table instead of what did not fit")
    func overflow() async throws {
        let database = Database.test(try await TestDatabase.empty())
        var events = database.listen(to: ["news"]).makeAsyncIterator()
        #expect(await events.next() == .listening)
        let isDone = Atomic<Bool>(false)
        async let writing: Void = {
            while !isDone.load(ordering: .relaxed) {
                try await database.script(
                    "SELECT pg_notify('news', n::text) FROM generate_series(1, 1000) AS n")
            }
        }()
        // One round trip per event against a thousand events per round trip: the reader is left behind.
        var seen = 0
        while case .notification = await events.next() {
            seen += 1
            try await database.withSession { _ in }
        }
        isDone.store(true, ordering: .relaxed)
        try await writing
        #expect(seen >= ListenEvents.capacity)
        await database.close()
    }
}
