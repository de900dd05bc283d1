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
    /// The state of derivatives: mark and index price, funding, open interest, as far as the venue says it.
    case derivative
    /// Positions that the venue closes, where it tells of them.
    case liquidation

    /// What is followed of an instrument that nobody wants more of.
    public static let usual: [VenueChannel] = [.book, .trade, .ticker, .candle]
}

/// What a session is to connect to and to follow.
public struct VenueConfiguration: Sendable {
    /// What is known of the venue.
    package let description: VenueDescription
    /// Address of the WebSocket interface without a path, such as `wss://ws.kraken.com`.
    public var webSocketURL: String
    /// Address of the REST interface without a path, such as `https://api.kraken.com`.
    public var restURL: String
    /// The keys that its servers may have, each a SHA-256 in base64; none for whatever is signed.
    package var pins: [String] = []
    /// Symbols in the venue's spelling with their channels.
    public var subscriptions: [(symbol: String, channels: Set<VenueChannel>)] = []
    /// Levels a side to subscribe to where the venue offers a choice; the nearest that it has is taken.
    public var bookDepth = 1_000
    /// Whether the prices of all its markets are asked for, also of those that nobody follows, where the
    /// venue tells of them.
    package var pricesAllMarkets = true
    /// What was chosen of the venue's own options, by their names.
    package var options: [String: String] = [:]
    /// Whether symbols that were not asked for are entered when they are met, as in a replay.
    public var discoversInstruments = false
    /// Seed of the jitter of resyncs, so that a run can be repeated.
    public var seed: UInt64 = 1

    /// Whose protocol.
    public var venue: Venue { description.venue }

    /// The venue's public addresses with nothing subscribed.
    package init(_ description: VenueDescription) {
        self.description = description
        webSocketURL = description.webSocketURL
        restURL = description.restURL
    }

    /// What a replay of a recording needs: everything that comes is taken.
    package static func replay(of description: VenueDescription) -> VenueConfiguration {
        var configuration = VenueConfiguration(description)
        configuration.discoversInstruments = true
        return configuration
    }

    /// What a replay of a recording of a venue of the catalogue needs.
    ///
    /// - Throws: ``UnknownVenue``.
    package static func replay(of venue: Venue) throws(UnknownVenue) -> VenueConfiguration {
        replay(of: try VenueCatalogue.standard.description(of: venue))
    }

    /// The session that speaks the venue's protocol.
    package func makeSession() -> any VenueSession { description.makeSession(self) }

    /// What an option of the venue's is: what was chosen, or else its standard; `nil` where the venue has no
    /// such option.
    package subscript(_ option: VenueOption) -> String? {
        get { description.options.contains(option) ? options[option.name] ?? option.standard : nil }
        set { options[option.name] = newValue }
    }
}
