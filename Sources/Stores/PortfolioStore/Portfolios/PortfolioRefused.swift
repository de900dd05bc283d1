package import Instruments
package import Portfolio

/// Why a portfolio cannot be changed as asked; nothing was stored then.
package struct PortfolioRefused: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Reason: Hashable, Sendable {
        /// A value that is not accepted.
        case fault(FieldFault)
        /// An asset that nobody knows, and that nobody said to take.
        case unknownAsset(UnknownAsset)
        /// Another line of the same file has the same external id and says something else.
        case repeatedID(String, line: Int)
        /// More of something than there may be.
        case quota(QuotaFault)
        /// A value that cannot be read, and why.
        case unreadable(field: String, value: String, reason: String)
        /// The transactions would make no ledger.
        case ledger(LedgerError)
        /// A transaction that is stored already would not fit any more.
        case breaks(number: Int64, LedgerError)
        /// A transaction with this external id is stored already and says something else.
        case conflictingID(String, number: Int64)
        /// The user has no such portfolio, or deleted it.
        case noSuchPortfolio(String)
        /// The portfolio has no such transaction, or it was removed.
        case noSuchTransaction(Int64)
        /// Somebody else changed the transaction meanwhile.
        case changedMeanwhile(Int64, revision: Int32)
        /// There is no such user.
        case noSuchUser
        /// Nothing is known that a performance could be compared with under this name.
        case unknownBenchmark(String, accepted: String)
    }

    /// Which of the rows of the call, from 0; `nil` where the fault is of none of them.
    package var index: Int?
    /// What is wrong.
    package var reason: Reason

    package init(index: Int? = nil, _ reason: Reason) {
        self.index = index
        self.reason = reason
    }

    static func fault(_ field: String, _ value: String, _ accepted: String) -> PortfolioRefused {
        PortfolioRefused(.fault(FieldFault(field, value, accepted: accepted)))
    }

    /// One line for a person.
    package var description: String {
        switch reason {
        case .fault(let fault): fault.description
        case .unknownAsset(let unknown): unknown.fault.description
        case .repeatedID(let id, let line):
            "external_id \"\(id)\" stands on line \(line) as well, with other content"
        case .unreadable(let field, let value, let reason): "field \"\(field)\" is \(value): \(reason)"
        case .quota(let fault): fault.description
        case .ledger(let error): error.description
        case .breaks(let number, let error):
            "transaction \(number), which is stored, would not fit any more: \(error)"
        case .conflictingID(let id, let number):
            "external_id \"\(id)\" is that of transaction \(number), which says something else; "
                + "edit that one, or give this one another id"
        case .noSuchPortfolio(let name): "there is no portfolio \"\(name)\""
        case .noSuchTransaction(let number): "there is no transaction \(number)"
        case .changedMeanwhile(let number, let revision):
            "transaction \(number) was changed meanwhile and is at revision \(revision) now; look at it again"
        case .noSuchUser: "there is no such user"
        case .unknownBenchmark(let name, let accepted):
            FieldFault("benchmark", "\"\(name.prefix(80))\"", accepted: accepted).description
        }
    }
}
