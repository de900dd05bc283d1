package import Instruments

/// What a message of a provider's streamer means.
package enum StreamEvent: Hashable, Sendable {
    /// A quote as it is now, with what earlier messages said and this one did not.
    case quote(ProviderChannel, CoinQuote)
    case trade(ProviderChannel, StreamedTrade)
    /// The connection is ready.
    case welcome
    /// A subscription was taken, or all of them were.
    case confirmed
    /// It is alive.
    case heartbeat
    /// It asks for patience, in its words.
    case busy(String)
    /// It refuses, in its words.
    case refused(String)
    /// Nothing that is needed.
    case other
}

/// What is subscribed to at a streamer.
package struct ProviderChannel: Hashable, Sendable {
    /// An exchange, or the name of an index: `CCCAGG`, `cadli`.
    package var market: String
    package var base: Asset
    package var quote: Asset

    package init(market: String, base: Asset, quote: Asset) {
        self.market = market
        self.base = base
        self.quote = quote
    }

    /// As CryptoCompare writes a subscription: `5~CCCAGG~BTC~USD` of an index, `2~Kraken~BTC~USD` of an
    /// exchange, `0~Kraken~BTC~USD` of its trades.
    package func cryptoCompare(trades: Bool = false) -> String {
        let type = trades ? "0" : market == "CCCAGG" ? "5" : "2"
        return [type, market, base.rawValue, quote.rawValue].joined(separator: "~")
    }
}

/// A trade that a streamer tells of: of an exchange that nobody proved, so of no tape of ours.
package struct StreamedTrade: Hashable, Sendable {
    /// The exchange's own; empty where it has none.
    package var id: String
    /// Above zero.
    package var price: Amount
    /// Above zero.
    package var size: Amount
    package var time: Timestamp?
    /// Whether the taker bought; `nil` where nobody says.
    package var isBuy: Bool?
}
