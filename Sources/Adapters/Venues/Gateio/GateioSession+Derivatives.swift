import Instruments
import MarketData

extension GateioSession {
    /// Rows of `public_liquidates`: `contract, price, size, time_ms`, without an id.
    ///
    /// A size below zero is taken for a sale, as in the tape; that is not confirmed.
    /// Source: Gate, "Futures WebSocket v4, Public Liquidates Order API", read 2026-11.
    mutating func readLiquidation(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = try instrument(&scanner, .liquidation, ["contract"], into: &output) else { return }
        var (price, size): (DecimalNumber?, DecimalNumber?)
        var venueTime: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "price") {
                price = try scanner.figure()
            } else if scanner.equals(key, "size") {
                size = try scanner.figure()
            } else if scanner.equals(key, "time_ms") {
                venueTime = try scanner.moment()
            } else {
                try scanner.skip()
            }
        }
        guard let price, let size, size.units != .min else { throw .malformed }
        core.say(
            Liquidation(
                side: size.units < 0 ? .sell : .buy, price: price,
                size: DecimalNumber(units: abs(size.units), scale: size.scale), venueTime: venueTime,
                receivedTime: time),
            of: index, into: &output)
    }
}

extension DerivativeTicker {
    /// Reads `index_price, funding_rate, funding_rate_indicative` (of the next interval), `total_size`.
    ///
    /// Source: Gate, "Futures WebSocket v4, Tickers API", read 2026-11. Open interest counts contracts.
    ///
    /// - Returns: Whether the key was one of these.
    mutating func readGateio(_ scanner: inout JSONScanner, _ key: JSONText) throws(ScanError) -> Bool {
        if scanner.equals(key, "index_price") {
            indexPrice = try scanner.priceFigure()
        } else if scanner.equals(key, "funding_rate") {
            fundingRate = try scanner.figure()
        } else if scanner.equals(key, "funding_rate_indicative") {
            predictedFundingRate = try scanner.figure()
        } else if scanner.equals(key, "total_size") {
            openInterest = try scanner.figure()
            if openInterest != nil { openInterestUnit = .contracts }
        } else {
            return false
        }
        return true
    }
}
