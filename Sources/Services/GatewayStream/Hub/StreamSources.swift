import AccountStore
import Accounts
import GatewayFrame
import Instruments
import MarketData
import Store

/// What the stream needs beside the bus; each a question that may wait.
package struct StreamSources: Sendable {
    /// A watchlist as it stands.
    struct Watched: Hashable, Sendable {
        var name: String
        var instruments: [InstrumentID]
    }

    /// Which names there are.
    package var names = KnownNames.any
    /// The newest stored candle of a length such as `1m`.
    var candle: @Sendable (String, InstrumentID) async throws -> CandleBody? = { _, _ in nil }
    /// What moves most, as JSON.
    var trending: @Sendable () async throws -> [UInt8]? = { nil }
    /// A watchlist of a user; `nil` when the user has no such list.
    var watchlist: @Sendable (UserID, UniqueID) async throws -> Watched? = { _, _ in nil }
    /// Whether a user has such a portfolio.
    var ownsPortfolio: @Sendable (UserID, UniqueID) async throws -> Bool = { _, _ in false }
    /// The newest firings of a user's rules, oldest first, at most ``StreamTopicState/firingWindow``.
    var firings: @Sendable (UserID) async throws -> [FiringBody] = { _ in [] }
}

/// Who may subscribe to what, and what a key means.
enum StreamAccess {
    /// The thing that a client means.
    ///
    /// Another user's thing and one that does not exist are the same to a client: `not-found`. So is a name
    /// that nobody lists: nothing is followed for it.
    ///
    /// - Throws: `unauthenticated`, `forbidden`, `invalid-field` for a key that cannot be, `not-found`;
    ///   `unavailable` when that cannot be told now.
    static func topic(
        _ channel: StreamChannel, _ key: String, for identity: Identity?, marketIsPublic: Bool,
        _ sources: StreamSources
    ) async throws(Problem) -> StreamTopic {
        try access(channel).check(identity, marketIsPublic: marketIsPublic)
        switch channel {
        case .ticker, .book, .trades:
            let id = try instrument(key)
            try await sources.names.check(id)
            return StreamTopic(channel, id.description)
        case .candles:
            let (interval, id) = try candles(key)
            try await sources.names.check(id)
            return StreamTopic(channel, "\(interval)/\(id)")
        case .index:
            let pair = try pair(key)
            try await sources.names.check(pair: pair)
            return StreamTopic(channel, pair)
        case .venues:
            let venue = try venue(key)
            try await sources.names.check(venue: venue)
            return StreamTopic(channel, venue)
        case .trending, .status:
            guard key.isEmpty else { throw .invalid("key", key, accepted: "nothing") }
            return StreamTopic(channel, "")
        case .alerts:
            guard key.isEmpty else { throw .invalid("key", key, accepted: "nothing") }
            return StreamTopic(channel, "", owner: try owner(identity))
        case .watchlist, .portfolio:
            return try await owned(channel, key, try owner(identity), sources)
        }
    }

    private static func access(_ channel: StreamChannel) -> Access {
        switch channel {
        case .ticker, .book, .trades, .candles, .index, .venues, .trending: .market
        case .status: .scope(.operator)
        case .watchlist: .scope(.accountRead)
        case .alerts: .scope(.alertsRead)
        case .portfolio: .scope(.portfolioRead)
        }
    }

    private static func owner(_ identity: Identity?) throws(Problem) -> UserID {
        guard let identity else { throw Problem(.unauthenticated, "sign in, or send a token") }
        return identity.user
    }

    private static func owned(
        _ channel: StreamChannel, _ key: String, _ user: UserID, _ sources: StreamSources
    ) async throws(Problem) -> StreamTopic {
        guard let id = UniqueID(key.lowercased()) else {
            throw .notFound("\(channel.rawValue) \"\(key.prefix(60))\"")
        }
        let isOwn: Bool
        do {
            switch channel {
            case .watchlist: isOwn = try await sources.watchlist(user, id) != nil
            default: isOwn = try await sources.ownsPortfolio(user, id)
            }
        } catch {
            throw Problem(.unavailable, "the database does not answer; try again in a moment")
        }
        guard isOwn else { throw .notFound("\(channel.rawValue) \"\(key.prefix(60))\"") }
        return StreamTopic(channel, id.description, owner: user)
    }

    private static func instrument(_ key: String) throws(Problem) -> InstrumentID {
        guard let id = InstrumentID(key), key.utf8.count <= 120 else {
            throw .invalid("key", key, accepted: "an instrument such as kraken:BTC/USD")
        }
        return id
    }

    /// A length and an instrument, from such as `1m/kraken:BTC/USD`.
    static func candles(_ key: String) throws(Problem) -> (String, InstrumentID) {
        let parts = key.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let lengths = ["1s", "1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w"]
        guard parts.count == 2, lengths.contains(String(parts[0])) else {
            throw .invalid(
                "key", key,
                accepted: "a length and an instrument such as 1m/kraken:BTC/USD; lengths are "
                    + lengths.joined(separator: ", "))
        }
        return (String(parts[0]), try instrument(String(parts[1])))
    }

    private static func pair(_ key: String) throws(Problem) -> String {
        let parts = key.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), key.utf8.count <= 60 else {
            throw .invalid("key", key, accepted: "a pair such as BTC-USD")
        }
        return key.uppercased()
    }

    private static func venue(_ key: String) throws(Problem) -> String {
        guard !key.isEmpty, key.utf8.count <= 60 else {
            throw .invalid("key", key, accepted: "a venue such as bitmex, or * for all")
        }
        return key
    }
}
