import Accounts
import Hummingbird
import Instruments
import MarketData
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

private struct StatusBody: Encodable {
    var services: [ServiceBody]
    var feeds: [FeedBody]
    var books: [String: [String: Int]]
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
            return .json(
                StatusBody(
                    services: running, feeds: feeds, books: books(),
                    troubles: Self.troubles(running, feeds, condition)))
        }
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
