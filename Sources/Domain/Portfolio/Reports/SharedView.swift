package import Instruments

/// What a stranger may see of a portfolio: shares of the whole and the return as ranges, the largest first.
///
/// No amounts, no values, no dates, no wallets, and nothing so exact that it could be looked up.
package struct SharedView: Hashable, Sendable {
    /// Percent, from the lower end up to the upper one; `nil` where it is open.
    package struct Band: Hashable, Sendable {
        /// Included.
        package var from: Int?
        /// Excluded.
        package var to: Int?

        init(_ percent: Amount, edges: [Int]) {
            from = edges.last { Amount(units: Int64($0)) <= percent }
            to = edges.first { Amount(units: Int64($0)) > percent }
        }
    }

    /// One asset.
    package struct Part: Hashable, Sendable {
        /// Its code.
        package var asset: Asset
        /// Its share of the whole.
        package var share: Band
    }

    /// Assets of one percent and more, the largest first, of one band by name.
    package let parts: [Part]
    /// The time-weighted return since the beginning; `nil` when it is not known.
    package let timeWeightedReturn: Band?

    private static let shareEdges = [0, 1, 5, 10, 25, 50, 75]
    private static let returnEdges = [-50, -25, -10, 0, 10, 25, 50, 100, 200]

    /// Blurs a valuation; `nil` while one of its prices is missing.
    ///
    /// - Parameters:
    ///   - valuation: What is held.
    ///   - timeWeightedReturn: As a part of one, such as 0.12.
    package init?(_ valuation: Valuation, timeWeightedReturn: Amount?) {
        guard valuation.total != nil else { return nil }
        let hundred = Amount(units: 100)
        let shares = Allocation.byAsset(valuation).map { share in
            Part(
                asset: Asset(rawValue: share.name),
                share: Band(share.share * hundred, edges: Self.shareEdges))
        }
        parts = shares.filter { ($0.share.from ?? 0) >= 1 }.sorted { left, right in
            left.share.from != right.share.from
                ? left.share.from ?? 0 > right.share.from ?? 0
                : left.asset.rawValue < right.asset.rawValue
        }
        self.timeWeightedReturn = timeWeightedReturn.map { Band($0 * hundred, edges: Self.returnEdges) }
    }
}
