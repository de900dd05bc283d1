import Instruments
import MarketData

extension Instrument {
    /// What can be said of an instrument before its venue has defined it: its symbol, and the scales of its
    /// trades.
    ///
    /// A row must be there before its trades can be; the venue's own definition replaces it when it comes.
    init(provisional id: InstrumentID, after trade: Trade) {
        let parts = id.symbol.split(separator: "/", maxSplits: 1)
        self.init(
            id: id, base: Asset(rawValue: parts.first.map(String.init) ?? id.symbol),
            quote: Asset(rawValue: parts.count > 1 ? String(parts[1]) : ""),
            kind: .spot, priceScale: trade.priceScale, sizeScale: trade.sizeScale,
            // BitMEX trades contracts, whose worth is not known yet; elsewhere one is one.
            contractMultiplier: id.venue == .bitmex ? DecimalNumber(units: 0, scale: .zero) : nil)
    }
}
