import Instruments
import MarketData

extension HyperliquidSession {
    /// What one subscription, `activeAssetCtx`, brings.
    static let valuing: ChannelSet = [.mark, .derivative]
    /// Funding is paid each hour.
    private static let fundingSeconds: UInt32 = 3_600

    /// `coin` and `ctx` with `markPx, oraclePx, funding, openInterest` (of the base asset), without a time:
    /// for mark prices that of its arrival stands for it.
    ///
    /// Nobody is told of the liquidations of others.
    /// Sources: Hyperliquid, "API, WebSocket, Subscriptions" and "Trading, Funding", read 2026-11.
    mutating func readState(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        var coin: JSONText?
        var price: DecimalNumber?
        var said = DerivativeTicker(receivedTime: time)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "coin") {
                coin = try scanner.text()
            } else if scanner.equals(key, "ctx") {
                try scanner.object { scanner, key throws(ScanError) in
                    if scanner.equals(key, "markPx") {
                        price = try scanner.anyDecimal()
                    } else if scanner.equals(key, "oraclePx") {
                        said.indexPrice = try scanner.priceFigure()
                    } else if scanner.equals(key, "funding") {
                        said.fundingRate = try scanner.figure()
                    } else if scanner.equals(key, "openInterest") {
                        said.openInterest = try scanner.figure()
                    } else {
                        try scanner.skip()
                    }
                }
            } else {
                try scanner.skip()
            }
        }
        guard let price = price?.normalized, price.units > 0 else { throw .malformed }
        guard let index = wanted(coin, Self.valuing, scanner, into: &output) else { return }
        if core.wants(.mark, index) {
            output.events.append(.mark(index, MarkPrice(price: price, venueTime: time, receivedTime: time)))
        }
        said.markPrice = price
        if said.openInterest != nil { said.openInterestUnit = .base }
        if said.fundingRate != nil { said.fundingIntervalSeconds = Self.fundingSeconds }
        core.say(said, of: index, into: &output)
    }
}
