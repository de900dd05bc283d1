public import Instruments

/// A kind of public data that an instrument can be subscribed to.
public enum VenueChannel: String, Sendable, Hashable, CaseIterable {
    /// The order book.
    case book
    /// Public executions.
    case trade
    /// Best bid and ask, with last price where the venue has it.
    case ticker
    /// One-minute candles.
    case candle
    /// Mark prices of derivatives, where the venue says them.
    case mark

    /// What is followed of an instrument that nobody wants more of.
    public static let usual: [VenueChannel] = [.book, .trade, .ticker, .candle]
}

/// Which of Kraken's public WebSocket interfaces to speak.
public enum KrakenInterface: String, Sendable, Hashable, CaseIterable {
    /// Arrays, ws.kraken.com.
    case v1
    /// Objects, ws.kraken.com/v2.
    case v2
}

/// What a session is to connect to and to follow.
public struct VenueConfiguration: Sendable {
    /// Whose protocol.
    public var venue: Venue
    /// Address of the WebSocket interface without a path, such as `wss://ws.kraken.com`.
    public var webSocketURL: String
    /// Address of the REST interface without a path, such as `https://api.kraken.com`.
    public var restURL: String
    /// Symbols in the venue's spelling with their channels.
    public var subscriptions: [(symbol: String, channels: Set<VenueChannel>)]
    /// Levels a side to subscribe to where the venue offers a choice; the nearest that it has is taken.
    public var bookDepth: Int
    /// Kraken's interface.
    public var krakenInterface: KrakenInterface
    /// Whether symbols that were not asked for are entered when they are met, as in a replay.
    public var discoversInstruments: Bool
    /// Seed of the jitter of resyncs, so that a run can be repeated.
    public var seed: UInt64

    /// The venue's public addresses with nothing subscribed.
    public init(venue: Venue) {
        self.venue = venue
        let endpoints = VenueConfiguration.publicEndpoints(of: venue)
        webSocketURL = endpoints.webSocket
        restURL = endpoints.rest
        subscriptions = []
        bookDepth = 1_000
        krakenInterface = .v2
        discoversInstruments = false
        seed = 1
    }

    /// What a replay of a recording needs: everything that comes is taken.
    public static func replay(of venue: Venue) -> VenueConfiguration {
        var configuration = VenueConfiguration(venue: venue)
        configuration.discoversInstruments = true
        return configuration
    }

    /// The public addresses.
    ///
    /// Source: the venues' API documentation, read 2026-11.
    static func publicEndpoints(of venue: Venue) -> (webSocket: String, rest: String) {
        switch venue {
        case .bitmex: ("wss://ws.bitmex.com", "https://www.bitmex.com")
        case .kraken: ("wss://ws.kraken.com", "https://api.kraken.com")
        case .binance: ("wss://stream.binance.com:9443", "https://api.binance.com")
        case .binanceUS: ("wss://stream.binance.us:9443", "https://api.binance.us")
        case .binanceUSDM: ("wss://fstream.binance.com", "https://fapi.binance.com")
        default: ("", "")
        }
    }
}

/// Makes the session that speaks a venue's protocol.
public enum VenueSessions {
    /// The session of a venue; `nil` for one that is not ``Venue/known``.
    public static func make(_ configuration: VenueConfiguration) -> (any VenueSession)? {
        switch configuration.venue {
        case .bitmex: BitMEXSession(configuration)
        case .kraken: KrakenSession(configuration)
        case .binance, .binanceUS, .binanceUSDM: BinanceSession(configuration)
        default: nil
        }
    }
}
