package import Instruments

/// In which order coins are shown.
package enum CoinOrder: String, CaseIterable, Sendable {
    /// By market value.
    case rank
    /// What rose most in 24 hours.
    case gainers
    /// What fell most in 24 hours.
    case losers
    /// What the list had last.
    case newest
    /// What was traded most in 24 hours.
    case volume

    /// What an order looks at.
    package struct Key: Sendable {
        /// By market value, from 1; `nil` for none.
        package var rank: Int32?
        /// Percent of 24 hours.
        package var change: Amount?
        /// In dollars, of 24 hours.
        package var volume: Amount?
        package var listed: Timestamp?

        package init(rank: Int32?, change: Amount?, volume: Amount?, listed: Timestamp?) {
            self.rank = rank
            self.change = change
            self.volume = volume
            self.listed = listed
        }
    }

    /// The places of the coins that have a place in this order, in it; of equal ones the better rank, then
    /// the earlier place comes first.
    ///
    /// Gainers rose and losers fell: what did not move is neither.
    package func sorted(_ keys: [Key]) -> [Int] {
        keys.indices.filter { has(keys[$0]) }.sorted { left, right in
            let (first, second) = (keys[left], keys[right])
            if let isBefore = precedes(first, second) { return isBefore }
            return (first.rank ?? .max, left) < (second.rank ?? .max, right)
        }
    }

    private func has(_ key: Key) -> Bool {
        switch self {
        case .rank: true
        case .gainers: key.change.map { $0 > .zero } ?? false
        case .losers: key.change.map { $0 < .zero } ?? false
        case .newest: key.listed != nil
        case .volume: key.volume != nil
        }
    }

    /// `nil` where they are equal.
    private func precedes(_ first: Key, _ second: Key) -> Bool? {
        switch self {
        case .rank: return nil
        case .gainers: return Self.isGreater(first.change, second.change)
        case .losers: return Self.isGreater(second.change, first.change)
        case .newest: return Self.isGreater(first.listed, second.listed)
        case .volume: return Self.isGreater(first.volume, second.volume)
        }
    }

    private static func isGreater<Value: Comparable>(_ first: Value?, _ second: Value?) -> Bool? {
        guard let first, let second, first != second else { return nil }
        return first > second
    }
}
