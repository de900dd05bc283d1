package import Instruments
package import Store

/// Why rules cannot be stored as asked; nothing was stored then.
package struct RuleRefused: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Reason: Hashable, Sendable {
        /// The rule itself.
        case fault(FieldFault)
        /// It has no row in `market.instrument`.
        case unknownInstrument(InstrumentID)
        /// More enabled rules than a user may have.
        case tooMany(limit: Int, enabled: Int, asked: Int)
        /// More of something else than a user or a rule may have.
        case quota(QuotaFault)
        /// The user has no such rule, or deleted it.
        case noSuchRule(String)
        /// Somebody else changed it meanwhile.
        case changedMeanwhile(UniqueID, version: Int64)
        /// There is no such user.
        case noSuchUser
    }

    /// Which of the rules of the call, from 0.
    package var index: Int
    /// What is wrong.
    package var reason: Reason

    package init(index: Int, _ reason: Reason) {
        self.index = index
        self.reason = reason
    }

    /// One line for a person.
    package var description: String {
        switch reason {
        case .fault(let fault): fault.description
        case .unknownInstrument(let id): FieldFault.unknownInstrument(id).description
        case .tooMany(let limit, let enabled, let asked):
            "field \"enabled\" is true for \(asked) more: accepted are at most \(limit) enabled rules, and "
                + "\(enabled) are; disable or delete some"
        case .quota(let fault): fault.description
        case .noSuchRule(let id): "there is no rule \(id)"
        case .changedMeanwhile(let id, let version):
            "rule \(id) was changed meanwhile and is at version \(version) now; look at it again"
        case .noSuchUser: "there is no such user"
        }
    }
}
