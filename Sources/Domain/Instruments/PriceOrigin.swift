/// What stands behind a price: how far it may be believed.
///
/// It travels with every price that is told, so that nobody takes one for the other. The better one comes
/// first: where several are known of a market, the first of them is told.
public enum PriceOrigin: String, Hashable, Sendable, CaseIterable {
    /// A book that is proven, or a tape that we follow.
    case proven
    /// What a venue says of itself, such as its ticker of all markets: nothing proves it.
    case ticker
    /// What somebody else made of several venues.
    case aggregated
}

extension PriceOrigin: Comparable {
    /// The better one is the lesser.
    public static func < (left: PriceOrigin, right: PriceOrigin) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .proven: 0
        case .ticker: 1
        case .aggregated: 2
        }
    }
}
