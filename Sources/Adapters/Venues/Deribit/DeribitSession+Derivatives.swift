import Instruments
import MarketData

/// Whose position a trade ended.
enum DeribitLiquidation: String {
    case maker = "M"
    case taker = "T"
    case both = "MT"

    /// The sides of the orders that ended positions.
    func sides(taker: Side) -> [Side] {
        let maker: Side = taker == .buy ? .sell : .buy
        return switch self {
        case .maker: [maker]
        case .taker: [taker]
        case .both: [taker, maker]
        }
    }
}

extension DeribitSession {
    /// What one channel, `ticker`, brings.
    static let quoting: ChannelSet = [.ticker, .mark, .derivative]
    /// What one channel, `trades`, brings: a trade says in `liquidation` whose position it ended.
    static let taping: ChannelSet = [.trade, .liquidation]
    /// The time that rates are for, eight hours; they are paid all the time.
    private static let rateSeconds: UInt32 = 28_800

    /// Tells what a ticker says of a derivative.
    ///
    /// Open interest is in US dollars for perpetuals and inverse futures, in the base asset for options and
    /// what is linear, whose names have an underscore.
    /// Source: Deribit API, "ticker.(instrument_name).(interval)", read 2026-11.
    mutating func say(_ ticker: DerivativeTicker, of index: InstrumentIndex, into output: inout VenueOutput) {
        var said = ticker
        if said.openInterest != nil {
            let symbol = core.registry[index].symbol
            let isOption = symbol.hasSuffix("-C") || symbol.hasSuffix("-P")
            said.openInterestUnit = isOption || symbol.contains("_") ? .base : .quote
        }
        if said.fundingRate != nil { said.fundingIntervalSeconds = Self.rateSeconds }
        core.say(said, of: index, into: &output)
    }
}

extension DerivativeTicker {
    /// Reads `index_price, open_interest, current_funding`; the last of perpetuals alone.
    ///
    /// - Returns: Whether the key was one of these.
    mutating func readDeribit(_ scanner: inout JSONScanner, _ key: JSONText) throws(ScanError) -> Bool {
        if scanner.equals(key, "index_price") {
            indexPrice = try scanner.priceFigure()
        } else if scanner.equals(key, "open_interest") {
            openInterest = try scanner.figure()
        } else if scanner.equals(key, "current_funding") {
            fundingRate = try scanner.figure()
        } else {
            return false
        }
        return true
    }
}
