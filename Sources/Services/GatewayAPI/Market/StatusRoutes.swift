import AccountStore
import Accounts
import AlertStore
import Hummingbird
import Instruments
import MarketData
import MarketStore
import Store
import Wire

/// A venue's feed, with its books by state.
private struct VenueBody: Encodable {
    private enum CodingKeys: String, CodingKey {
        case books
        case lagMilliseconds = "lag_ms"
    }

    var feed: FeedBody
    /// How many books are in which state.
    var books: [String: Int]
    /// Between the venue's last word and the feed's, in milliseconds.
    var lagMilliseconds: Int64?

    func encode(to encoder: any Encoder) throws {
        try feed.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(books, forKey: .books)
        try members.encode(lagMilliseconds, forKey: .lagMilliseconds)
    }
}

/// Something an operator has to look at.
private struct TroubleBody: Encodable {
    var subject: String
    var trouble: String
    /// What to do about it.
    var advice: String
}

/// What waits to be done, of one kind.
private struct QueueBody: Encodable {
    var name: String
    var waiting: Int64
    /// Of those, the ones that failed before.
    var failing: Int64
    /// Of those, the ones held back for a digest.
    var held: Int64
    /// When the oldest of them was made.
    var oldest: String?
    /// Given up.
    var dead: Int64
    /// Why the last one failed.
    var lastError: String?

    private enum CodingKeys: String, CodingKey {
        case name, waiting, failing, held, oldest, dead
        case lastError = "last_error"
    }

    init(_ figures: DeliveryQueue) {
        (name, waiting, failing, held) = ("deliveries", figures.waiting, figures.failing, figures.held)
        (oldest, dead, lastError) = (figures.oldest?.plain, figures.dead, figures.lastError)
    }

    init(_ figures: LetterQueue) {
        (name, waiting, failing, held) = ("letters", figures.waiting, figures.failing, 0)
        (oldest, dead, lastError) = (figures.oldest?.plain, 0, figures.lastError)
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encode(waiting, forKey: .waiting)
        try members.encode(failing, forKey: .failing)
        try members.encode(held, forKey: .held)
        try members.encode(oldest, forKey: .oldest)
        try members.encode(dead, forKey: .dead)
        try members.encode(lastError.map { String($0.prefix(300)) }, forKey: .lastError)
    }
}

private struct StatusBody: Encodable {
    /// `live`, or what is wrong with the gateway's own connection to the bus.
    var bus: String
    var services: [ServiceBody]
    var feeds: [FeedBody]
    var books: [String: [String: Int]]
    /// Empty while the database does not answer, which is one of the troubles then.
    var queues: [QueueBody]
    var troubles: [TroubleBody]
}

/// How feeds and services do.
struct StatusRoutes: Sendable {
    let services: GatewayServices

    func add(to routes: RouteTable) {
        routes.get("/v1/venues", .market) { _, _ in
            let market = services.market
            let books = books()
            let items = market.feeds().map { feed in
                let last = feed.value.lastReceivedUnixNanos
                return VenueBody(
                    feed: FeedBody(feed, market.condition, at: market.now),
                    books: books[feed.value.venue] ?? [:],
                    lagMilliseconds: last == 0
                        ? nil
                        : max(0, feed.time.nanoseconds(since: Timestamp(nanoseconds: last)) / 1_000_000))
            }
            return .json(Page(items), freshness: .seconds(1))
        }
        routes.get("/v1/status", .scope(.operator)) { _, _ in
            let market = services.market
            let (condition, now) = (market.condition, market.now)
            let feeds = market.feeds().map { FeedBody($0, condition, at: now) }
            let running = market.services().map { ServiceBody($0, condition, at: now) }
            let stored = try? await stored(at: now)
            return .json(
                StatusBody(
                    bus: condition.word.rawValue,
                    services: (running + (stored?.notifiers ?? [])).sorted { $0.service < $1.service },
                    feeds: feeds, books: books(), queues: stored?.queues ?? [],
                    troubles: Self.troubles(running, feeds, condition) + Self.troubles(stored, at: now)))
        }
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

    private static func troubles(_ stored: Stored?, at now: Timestamp) -> [TroubleBody] {
        guard let stored else {
            return [
                TroubleBody(
                    subject: "database", trouble: "it does not answer",
                    advice: "look whether PostgreSQL runs and BITPAL_DATABASE_URL names it")
            ]
        }
        var troubles: [TroubleBody] = []
        if stored.notifiers.isEmpty {
            troubles.append(
                TroubleBody(
                    subject: "notifier", trouble: "none runs: nobody is told anything",
                    advice: "start one; its log says why the last one ended"))
        }
        for queue in stored.queues {
            let oldest = queue.oldest.flatMap { Timestamp(iso8601: $0) }
            let isOld = oldest.map { now.nanoseconds(since: $0) > patience } ?? false
            if isOld, queue.waiting > queue.held {
                troubles.append(
                    TroubleBody(
                        subject: queue.name,
                        trouble: "\(queue.waiting) wait, \(queue.failing) of them failed before",
                        advice: queue.name == "letters"
                            ? "look at the gateway's log and its settings of mail"
                            : "look whether notifier runs; `bitpal deliveries` tells why one failed"))
            }
            if queue.dead > 0 {
                troubles.append(
                    TroubleBody(
                        subject: queue.name, trouble: "\(queue.dead) could not be delivered",
                        advice: "`bitpal deliveries --state dead` lists them; redeliver or leave them"))
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
        _ services: [ServiceBody], _ feeds: [FeedBody], _ condition: BusCondition
    ) -> [TroubleBody] {
        var troubles: [TroubleBody] = []
        if condition.word != .live {
            troubles.append(
                TroubleBody(
                    subject: "bus", trouble: "the gateway is \(condition.word.rawValue)",
                    advice: "look whether bus-broker runs and BITPAL_BUS names it"))
        }
        for service in services where service.silent || !service.ready {
            troubles.append(
                TroubleBody(
                    subject: "\(service.service) \(service.instance.prefix(8))",
                    trouble: service.silent ? "nothing is heard of it" : "not ready: \(service.detail)",
                    advice: service.silent
                        ? "look whether it runs; its log says why it ended"
                        : "its /health/ready names the part that is not"))
        }
        for feed in feeds where feed.silent || feed.state != "live" {
            troubles.append(
                TroubleBody(
                    subject: "feed \(feed.venue)",
                    trouble: feed.detail.isEmpty ? feed.state : "\(feed.state): \(feed.detail)",
                    advice: "it connects again by itself; if it stays so, look at the venue's status page"))
        }
        return troubles
    }
}
