import Instruments
import MarketData
import Venues

extension Instrument {
    /// What can be said of an instrument before its venue has defined it: its symbol, and the scales of its
    /// trades.
    ///
    /// A row must be there before its trades can be; the venue's own definition replaces it when it comes.
    init(provisional id: InstrumentID, of venue: VenueDescription, after trade: Trade) {
        let parts = venue.pairSeparator.map { id.symbol.split(separator: $0, maxSplits: 1) } ?? []
        self.init(
            id: id, base: Asset(rawValue: parts.first.map(String.init) ?? id.symbol),
            quote: Asset(rawValue: parts.count > 1 ? String(parts[1]) : ""),
            kind: .spot, priceScale: trade.priceScale, sizeScale: trade.sizeScale,
            // What a contract is worth is not known yet: 0 stands for that.
            contractMultiplier: venue.countsContracts ? DecimalNumber(units: 0, scale: .zero) : nil)
    }
}
