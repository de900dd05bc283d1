import AccountStore
import Accounts
import AlertStore
import GatewayFrame
import GatewayStream
import Instruments
import MarketData
import MarketStore
import Store
import Wire

/// How feeds and services do.
struct StatusRoutes: Sendable {
    let services: GatewayServices

    func add(to routes: RouteTable) {
        routes.get(
            "/v1/venues", .market, Operation("listVenues", .market, "How the venues' feeds do.")
        ) { _ in venues() }
        routes.get(
            "/v1/status", .scope(.operator),
            Operation(
                "getStatus", .market, "How feeds and services do, for operators.",
                "With what to do about each trouble.")
        ) { _ in OK(await status()) }
    }

    private func venues() -> Page<VenueBody> {
        let market = services.market
        let books = books()
        let items = market.feeds().map { feed in
            let last = feed.value.lastReceivedUnixNanos
            return VenueBody(
                feed: FeedBody(feed, market.condition, at: market.now),
                books: books[feed.value.venue] ?? [:],
                lagMilliseconds: last == 0
                    ? nil : max(0, feed.time.nanoseconds(since: Timestamp(nanoseconds: last)) / 1_000_000))
        }
        return Page(items, freshness: .seconds(1))
    }

    private func status() async -> StatusBody {
        let market = services.market
        let (condition, now) = (market.condition, market.now)
        let feeds = market.feeds().map { FeedBody($0, condition, at: now) }
        let running = market.services().map { ServiceBody($0, condition, at: now) }
        // That the database does not answer is one of the troubles.
        let stored = try? await stored(at: now)
        return StatusBody(
            bus: condition.word,
            services: (running + (stored?.notifiers ?? [])).sorted { $0.service < $1.service },
            feeds: feeds, books: books(), queues: stored?.queues ?? [],
            troubles: Self.troubles(running, feeds, condition) + Self.troubles(stored, at: now))
    }

    /// What the database knows.
    private struct Stored: Sendable {
        var queues: [QueueBody]
        /// Those that live: they reach receivers outside and are kept off the bus for that.
        var notifiers: [ServiceBody]
    }

    private func stored(at now: Timestamp) async throws -> Stored {
        try await services.database.withSession { session in
            let queues = [
                try session.deliveryQueue().map { QueueBody($0) },
                try session.letterQueue().map { QueueBody($0) },
            ]
            let alive = try session.livingMembers(of: "notifier")
            return Stored(
                queues: queues.compactMap { $0 },
                notifiers: alive.map { ServiceBody($0, of: "notifier", at: now) })
        }
    }

    /// How long something may wait that has not failed, in nanoseconds: five minutes.
    private static let patience: Int64 = 300_000_000_000

    private static func troubles(_ stored: Stored?, at now: Timestamp) -> [OperatorIssue] {
        guard let stored else {
            return [
                OperatorIssue(
                    subject: "database", trouble: "it does not answer",
                    advice: "look whether PostgreSQL runs and BITPAL_DATABASE_URL names it")
            ]
        }
        var troubles: [OperatorIssue] = []
        if stored.notifiers.isEmpty {
            troubles.append(
                OperatorIssue(
                    subject: "notifier", trouble: "none runs: nobody is told anything",
                    advice: "start one; its log says why the last one ended"))
        }
        for queue in stored.queues {
            let isOld = queue.oldest.map { now.nanoseconds(since: $0) > patience } ?? false
            if isOld, queue.waiting > queue.held {
                troubles.append(
                    OperatorIssue(
                        subject: queue.name,
                        trouble: "\(queue.waiting) wait, \(queue.failing) of them failed before",
                        advice: queue.name == "letters"
                            ? "look at the gateway's log and its settings of mail"
                            : "look whether notifier runs; `bitpal deliveries` tells why one failed"))
            }
            if queue.dead > 0 {
                troubles.append(
                    OperatorIssue(
                        subject: queue.name, trouble: "\(queue.dead) could not be delivered",
                        advice: "`bitpal deliveries list --state dead` lists them; redeliver or leave them"))
            }
        }
        return troubles
    }

    private func books() -> [String: [String: Int]] {
        var counts: [String: [String: Int]] = [:]
        for (venue, states) in services.market.bookStates() {
            for (state, count) in states { counts[venue.rawValue, default: [:]][state.name] = count }
        }
        return counts
    }

    private static func troubles(
        _ services: [ServiceBody], _ feeds: [FeedBody], _ condition: BusConnectionState
    ) -> [OperatorIssue] {
        var troubles: [OperatorIssue] = []
        if condition.word != .live {
            troubles.append(
                OperatorIssue(
                    subject: "bus", trouble: "the gateway is \(condition.word.rawValue)",
                    advice: "look whether bus-broker runs and BITPAL_BUS names it"))
        }
        for service in services where service.silent || !service.ready {
            troubles.append(
                OperatorIssue(
                    subject: "\(service.service) \(service.instance.prefix(8))",
                    trouble: service.silent ? "nothing is heard of it" : "not ready: \(service.detail)",
                    advice: service.silent
                        ? "look whether it runs; its log says why it ended"
                        : "its /health/ready names the part that is not"))
        }
        for feed in feeds where feed.silent || feed.state != "live" {
            troubles.append(
                OperatorIssue(
                    subject: "feed \(feed.venue)",
                    trouble: feed.detail.isEmpty ? feed.state : "\(feed.state): \(feed.detail)",
                    advice: "it connects again by itself; if it stays so, look at the venue's status page"))
        }
        return troubles
    }
}
