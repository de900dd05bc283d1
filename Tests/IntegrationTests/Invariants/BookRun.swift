import Bus
import Foundation
import Store
import Support

/// Two book-builders and a broker as processes, books that change, and a judge of all that is told of them.
enum BookRun {
    /// Runs them while `body` does something to them, and waits until the last of each book is told as live.
    ///
    /// - Parameters:
    ///   - seed: Of the books.
    ///   - body: Changes the books, and ends who is there.
    /// - Returns: What was told that invariant I1 forbids, and how many messages were judged.
    /// - Throws: What `body` throws; when the time of the test is over.
    static func faults(
        seed: UInt64, _ body: (inout SeededBooks, BuilderFleet, Database) async throws -> Void
    ) async throws -> (faults: [String], judged: Int) {
        let fleet = try await BuilderFleet(leases: "1s")
        let publisher = try fleet.feed()
        let database = Database(configuration: fleet.configuration, logger: TestDatabase.logger)
        let subscriber = try Subscriber(
            context: fleet.context,
            configuration: SubscriberConfiguration(
                name: "judge", addresses: fleet.addresses,
                prefixes: ["book.top.", "book.depth.", "book.snapshot.", "heartbeat."]),
            logger: TestDatabase.logger)
        let wishes = BookWishes()
        var books = try SeededBooks(publisher, wishes, seed: seed)
        let truth = books.truth
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await publisher.run() }
            group.addTask { try await subscriber.run() }
            for await event in publisher.events where event == .brokerAppeared { break }
            group.addTask { for await event in publisher.events { wishes.hear(event) } }
            group.addTask { for await batch in subscriber.batches { try truth.take(batch) } }
            await books.begin()
            for place in 0..<2 {
                try fleet.start(place)
                try await eventuallyNothing { try await fleet.idleness(place, in: database) }
            }
            try await body(&books, fleet, database)
            await books.finish()
            try await eventuallyNothing {
                await books.answer()
                let lost = truth.takeLost()
                if !lost.isEmpty { subscriber.requestState(lost) }
                return truth.missing().map { "\($0); \(fleet.presence)" }
            }
            group.cancelAll()
        }
        await database.close()
        let statuses = await fleet.stop()
        guard statuses.allSatisfy({ $0 == 0 }) else {
            throw PropertyFailure("seed \(seed): they ended with \(statuses)\n\(fleet.logs)")
        }
        return (truth.faults, truth.judged)
    }
}
