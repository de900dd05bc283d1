import Instruments
import Logging
import MarketStore
import Store

/// Follows the table of subscriptions: reads it when told of a change, and now and then without.
struct SubscriptionWatch: Sendable {
    let database: Database
    let configuration: FeedIngestionConfiguration
    let clock: @Sendable () -> Timestamp
    let logger: Logger
    /// Given all rows after each change.
    let changed: @Sendable ([DatedSubscription]) async -> Void

    /// Runs until the task is cancelled.
    func run() async {
        // Hints say "look again" and nothing else: one waiting says as much as many, and one reader reads in
        // order.
        let (hints, hint) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask { await listen(hint) }
            group.addTask { await remind(hint) }
            group.addTask { await follow(hints) }
        }
    }

    private func listen(_ hint: AsyncStream<Void>.Continuation) async {
        for await event in database.listen(to: [MarketSchema.subscriptionChannel]) {
            if event != .lost { hint.yield() }
        }
    }

    private func remind(_ hint: AsyncStream<Void>.Continuation) async {
        while !Task.isCancelled {
            hint.yield()
            try? await Task.sleep(for: configuration.subscriptionPoll)
        }
    }

    private func follow(_ hints: AsyncStream<Void>) async {
        var isSeeded = false
        var last: [DatedSubscription]?
        var isTroubled = false
        for await _ in hints {
            do throws(StoreError) {
                if !isSeeded {
                    try await SubscriptionSeed(venues: configuration.venues, now: clock()).write(to: database)
                    isSeeded = true
                }
                let rows = try await database.withSession { try $0.datedSubscriptions() }
                isTroubled = false
                if rows != last { await changed(rows) }
                last = rows
            } catch {
                // What is followed stays as it is until the table can be read.
                if !isTroubled, !Task.isCancelled {
                    logger.warning("Subscriptions cannot be read", metadata: ["error": "\(error)"])
                }
                isTroubled = true
            }
        }
    }
}
