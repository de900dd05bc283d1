import Instruments
import MarketData

extension BybitSession {
    /// What one topic, `tickers`, brings of derivatives.
    static let quoting: ChannelSet = [.ticker, .mark, .derivative]

    /// What open interest counts on a connection; `nil` for spot, which has none.
    func openInterestUnit(on connection: Int) -> OpenInterestUnit? {
        switch recordedCategories[connection] ?? category {
        case .spot: nil
        case .linear: .base
        // Contracts of one US dollar.
        case .inverse: .quote
        }
    }

    /// Rows of `allLiquidation`: `T, s, S, v, p`; `S` is the side of the position, so that its order is of
    /// the other; `p` is the price at which the position is worth nothing.
    ///
    /// Source: Bybit, "V5 API, WebSocket public stream, All liquidation", read 2026-11.
    mutating func readLiquidations(
        _ scanner: inout JSONScanner, _ message: BybitMessage, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = instrument(of: message, in: scanner, for: .liquidation, into: &output) else {
            return
        }
        try scanner.array { scanner throws(ScanError) in
            var (side, price, size): (Side?, DecimalNumber?, DecimalNumber?)
            var venueTime: Timestamp?
            try scanner.object { scanner, key throws(ScanError) in
                switch scanner.single(key) {
                case 0x53:  // S
                    let text = try scanner.text()
                    side = scanner.equals(text, "Buy") ? .sell : scanner.equals(text, "Sell") ? .buy : nil
                case 0x70: price = try scanner.figure()  // p
                case 0x76: size = try scanner.figure()  // v
                case 0x54: venueTime = try scanner.moment()  // T
                default: try scanner.skip()
                }
            }
            guard let side, let price, let size else { throw .malformed }
            core.say(
                Liquidation(side: side, price: price, size: size, venueTime: venueTime, receivedTime: time),
                of: index, into: &output)
        }
    }
}

extension DerivativeTicker {
    /// Reads `indexPrice, fundingRate, nextFundingTime, fundingIntervalHour, openInterest`.
    ///
    /// Source: Bybit, "V5 API, WebSocket public stream, Ticker", read 2026-11.
    ///
    /// - Returns: Whether the key was one of these.
    mutating func readBybit(_ scanner: inout JSONScanner, _ key: JSONText) throws(ScanError) -> Bool {
        if scanner.equals(key, "indexPrice") {
            indexPrice = try scanner.priceFigure()
        } else if scanner.equals(key, "fundingRate") {
            fundingRate = try scanner.figure()
        } else if scanner.equals(key, "nextFundingTime") {
            nextFundingTime = try scanner.moment()
        } else if scanner.equals(key, "fundingIntervalHour") {
            fundingIntervalSeconds = try scanner.hours()
        } else if scanner.equals(key, "openInterest") {
            openInterest = try scanner.figure()
        } else {
            return false
        }
        return true
    }
}
