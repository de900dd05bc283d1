package import Instruments

/// Which lots a disposal takes.
package enum LotMethod: String, Sendable, CaseIterable {
    /// The oldest first.
    case fifo
    /// The newest first.
    case lifo
    /// The dearest first; of equal ones the oldest.
    case hifo
    /// The cheapest first; of equal ones the oldest.
    case lofo
    /// All at the average cost of the pool; dates of acquisition are taken oldest first.
    case average
    /// Those that the row names; what it names none for, the oldest first.
    case specific
}

/// Which lots a disposal may take.
package enum LotScope: String, Sendable, CaseIterable {
    /// All lots of the asset.
    case universal
    /// Those in the wallet.
    case wallet
}

/// Method and scope over time.
package struct LotPolicy: Sendable, Hashable {
    /// From when on which method and scope hold.
    package struct Change: Sendable, Hashable {
        /// The first instant.
        package var from: Timestamp
        /// Which lots are taken.
        package var method: LotMethod
        /// Which lots may be taken.
        package var scope: LotScope

        package init(from: Timestamp, method: LotMethod, scope: LotScope) {
            self.from = from
            self.method = method
            self.scope = scope
        }
    }

    /// In order of time; the first holds from the beginning.
    package let changes: [Change]
    /// From when on what was held counts as long.
    package var longTerm = LongTerm.standard

    /// One method and scope, and what replaces them later.
    package init(_ method: LotMethod = .fifo, _ scope: LotScope = .universal, then later: [Change] = []) {
        let first = Change(from: Timestamp(nanoseconds: .min), method: method, scope: scope)
        changes = [first] + later.sorted { $0.from < $1.from }
    }

    /// What settings say; the standard before the first of them.
    package init(settings: [Change]) {
        if let first = settings.first, first.from.nanoseconds == .min {
            self.init(first.method, first.scope, then: Array(settings.dropFirst()))
        } else {
            self.init(then: settings)
        }
    }
}
