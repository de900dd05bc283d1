public import AccountStore
public import Instruments
import MarketStore
public import Store

/// Names a portfolio: a UUID of version 7.
public struct PortfolioID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The key.
    public let rawValue: UniqueID

    /// Wraps a key.
    public init(rawValue: UniqueID) { self.rawValue = rawValue }

    /// The key's canonical form.
    public var description: String { rawValue.description }
}

/// A portfolio of a user.
public struct StoredPortfolio: Hashable, Sendable {
    /// The key.
    public var id: PortfolioID
    /// Whose.
    public var user: UserID
    /// Unique for the user, 1...64 bytes.
    public var name: String
    /// The currency of costs, gains and values.
    public var base: Asset
    /// Number of the last change of what it contains; 0 for none.
    public var change: Int64
    /// When that was.
    public var changed: Timestamp
    /// The highest number of a transaction so far.
    public var lastNumber: Int64
    /// When it was made.
    public var created: Timestamp
    /// When its owner deleted it.
    public var deleted: Timestamp?
}

/// Where a wallet is.
public enum WalletKind: String, Hashable, Sendable, CaseIterable {
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
public struct StoredWallet: Hashable, Sendable {
    /// Unique in the portfolio, 1...128 bytes.
    public var name: String
    /// Where it is.
    public var kind: WalletKind
    /// Anything, such as the address.
    public var note: String
    /// When it was made.
    public var created: Timestamp
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
