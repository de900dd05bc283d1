import Instruments
import MarketData

extension DerivativeTicker {
    /// Reads `indexPrice`; v2 `fundingRate, nextFundingTime, holdingAmount`, v1 `capitalRate,
    /// nextSettleTime, holding`.
    ///
    /// Open interest counts the base asset, as sizes do. The venue tells of liquidations on its unified
    /// interface alone, which is not followed.
    /// Source: Bitget API documentation, "Market Channel" of futures, v2 and v1, read 2026-11.
    ///
    /// - Returns: Whether the key was one of these.
    mutating func readBitget(_ scanner: inout JSONScanner, _ key: JSONText) throws(ScanError) -> Bool {
        if scanner.equals(key, "indexPrice") {
            indexPrice = try scanner.priceFigure()
        } else if scanner.equals(key, "fundingRate") || scanner.equals(key, "capitalRate") {
            fundingRate = try scanner.figure()
        } else if scanner.equals(key, "nextFundingTime") || scanner.equals(key, "nextSettleTime") {
            nextFundingTime = try scanner.moment()
        } else if scanner.equals(key, "holdingAmount") || scanner.equals(key, "holding") {
            openInterest = try scanner.figure()
            if openInterest != nil { openInterestUnit = .base }
        } else {
            return false
        }
        return true
    }
}
