package import AccountStore
package import Instruments
import MarketStore
package import Store

/// Names a portfolio: a UUID of version 7.
package struct PortfolioID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UniqueID

    package init(rawValue: UniqueID) { self.rawValue = rawValue }

    package var description: String { rawValue.description }
}

/// A portfolio of a user.
package struct StoredPortfolio: Hashable, Sendable {
    package var id: PortfolioID
    package var user: UserID
    /// Unique for the user, 1...64 bytes.
    package var name: String
    /// The currency of costs, gains and values.
    package var base: Asset
    /// Number of the last change of what it contains; 0 for none.
    package var change: Int64
    /// When that was.
    package var changed: Timestamp
    /// The highest number of a transaction so far.
    package var lastNumber: Int64
    package var created: Timestamp
    /// When its owner deleted it.
    package var deleted: Timestamp?
}

/// Where a wallet is.
package enum WalletKind: String, Hashable, Sendable, CaseIterable {
    /// An account at an exchange.
    case exchange
    /// An address on a chain.
    case address
    /// Kept without a network.
    case cold
    /// Anything else.
    case other

    /// Whether somebody else keeps what is in it; `nil` when the kind does not say.
    var isExchange: Bool? {
        switch self {
        case .exchange: true
        case .address, .cold: false
        case .other: nil
        }
    }
}

/// A wallet of a portfolio.
package struct StoredWallet: Hashable, Sendable {
    /// Unique in the portfolio, 1...128 bytes.
    package var name: String
    /// Where it is.
    package var kind: WalletKind
    /// Anything, such as the address.
    package var note: String
    package var created: Timestamp
}

extension PortfolioID: SQLParameter {
    package var sqlValue: UniqueID { rawValue }
}

extension StoredPortfolio {
    static let columns: SQL = """
        portfolio.portfolio_id, portfolio.user_id, portfolio.name, portfolio.base, portfolio.change, \
        portfolio.changed_at, portfolio.last_number, portfolio.created_at, portfolio.deleted_at
        """

    init(_ row: inout RowReader) throws(StoreError) {
        self.init(
            id: PortfolioID(rawValue: try row.uniqueID()), user: try row.user(),
            name: try row.text(), base: Asset(rawValue: try row.text()), change: try row.int64(),
            changed: try row.time(), lastNumber: try row.int64(), created: try row.time(),
            deleted: try row.timeOrNil())
    }
}
