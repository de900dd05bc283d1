import Instruments

/// Coinbase, www.coinbase.com: Advanced Trade, and the Exchange, which have the same books.
package enum Coinbase {
    /// What is asked of it.
    ///
    /// Advanced Trade numbers its messages, the Exchange does not: what holds for both is told here, so that
    /// books are audited whichever is followed.
    ///
    /// Sources: Coinbase Developer Documentation, "Advanced Trade WebSocket overview" and "channels" (one
    /// channel a message, the first within 5 s, silent ones close after 60 to 90 s without `heartbeats`, USDC
    /// pairs come as those of USD); nautilus_trader, which cites "rate limits": eight messages a second from
    /// an address without a key, of which an image costs two; ten public requests a second as in ccxt.
    /// "Exchange rate limits": eight requests a second, 20 in bursts.
    package static let description = VenueDescription(
        venue: Venue(rawValue: "coinbase"),
        webSocketURL: "wss://advanced-trade-ws.coinbase.com",
        restURL: "https://api.coinbase.com",
        scope: "coinbase",
        usualSymbols: ["BTC-USD", "ETH-USD"],
        isUsual: false,
        options: [CoinbaseInterface.option],
        requests: RequestLimit(capacity: 5, refillEvery: 200_000_000),
        images: ImageLimit(perSecond: 2, burst: 1),
        topicsPerMessage: 100,
        connections: ConnectionBounds(
            topics: 400, parts: 20, opening: RequestLimit(capacity: 1, refillEvery: 1_000_000_000),
            messages: MessageLimit(
                rate: RequestLimit(capacity: 4, refillEvery: 250_000_000), isOfAddress: true)),
        ping: .frame,
        proof: .nothing,
        auditsWholeBooks: false,
        saysMarkPrices: false,
        countsContracts: false,
        pairSeparator: "-",
        instrumentList: "/products",
        history: CoinbaseHistory.route,
        tickers: { CoinbaseTickers.route($0) },
        wording: { _ in
            VenueWording(
                times: .finestISO8601(fractionDigits: 6), candleTimes: .wholeSeconds, saysMakers: true)
        },
        makeSession: { CoinbaseSession($0) })
}
