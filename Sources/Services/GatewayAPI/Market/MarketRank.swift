import GatewayStream
import Instruments

/// Which market of a pair says its price best: one of now, then one that is proven, then spot, then the one
/// with the greatest turnover, then by name. The best is the least.
struct MarketRank: Comparable {
    private let isStale: Bool
    private let origin: PriceOrigin
    private let isContract: Bool
    private let turnover: Amount
    private let name: String

    init(_ ticker: TickerBody, of instrument: Instrument) {
        isStale = ticker.stale != nil
        origin = ticker.origin.flatMap(PriceOrigin.init(rawValue:)) ?? .aggregated
        isContract = instrument.kind != .spot
        turnover = ticker.quoteVolume.flatMap { try? Amount(parsing: $0) } ?? .zero
        name = instrument.id.description
    }

    static func < (left: MarketRank, right: MarketRank) -> Bool {
        if left.isStale != right.isStale { return right.isStale }
        if left.origin != right.origin { return left.origin < right.origin }
        if left.isContract != right.isContract { return right.isContract }
        if left.turnover != right.turnover { return left.turnover > right.turnover }
        return left.name < right.name
    }
}
