import Instruments

/// Which instruments of a venue are followed, where more are wanted than may be.
///
/// By rank, and within a rank first come, first served: of each instrument the oldest subscription of its
/// best rank counts. So nothing that is wanted later, or for a lesser reason, takes the place of what is
/// followed: no watchlist that of a rule's instrument.
package struct FollowPlan: Hashable, Sendable {
    /// Symbols, the first that is entitled first.
    package let followed: [String]
    /// Symbols beyond the limit, in the same order.
    package let dropped: [String]

    /// Decides.
    ///
    /// - Parameters:
    ///   - rows: What is wanted of one venue.
    ///   - limit: Instruments that are followed at most.
    package init(_ rows: some Sequence<DatedSubscription>, limit: Int) {
        var claims: [String: Claim] = [:]
        for row in rows {
            let claim = Claim(row)
            if let best = claims[claim.symbol], best <= claim { continue }
            claims[claim.symbol] = claim
        }
        let symbols = claims.values.sorted().map(\.symbol)
        followed = Array(symbols.prefix(limit))
        dropped = Array(symbols.dropFirst(limit))
    }

    /// What entitles an instrument to be followed; the least goes first.
    private struct Claim: Comparable {
        let rank: SubscriptionRank
        let added: Timestamp
        /// Its keys rise with time, so that they decide within one instant.
        let wantedBy: String
        let symbol: String

        init(_ row: DatedSubscription) {
            let wanted = row.subscription
            (symbol, wantedBy) = (wanted.instrument.symbol, wanted.wantedBy)
            (rank, added) = (SubscriptionRank(wantedBy: wantedBy), row.added)
        }

        static func < (left: Claim, right: Claim) -> Bool {
            if left.rank != right.rank { return left.rank < right.rank }
            if left.added != right.added { return left.added < right.added }
            if left.wantedBy != right.wantedBy { return left.wantedBy < right.wantedBy }
            return left.symbol < right.symbol
        }
    }
}
