import Instruments
public import Store

/// The watchlists of a user in their order.
public struct ListWatchlists: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(WatchlistColumns.list) FROM accounts.watchlist
        WHERE \(OwnerPredicate.sql("user_id = $1"))
        ORDER BY place, watchlist_id
        """

    private let user: UserID

    /// Names the user.
    public init(of user: UserID) { self.user = user }

    /// Appends the key.
    public func bind(_ parameters: inout Parameters) { parameters.append(user.rawValue) }

    /// Reads a list.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Watchlist {
        try WatchlistColumns.read(&row)
    }
}

/// One watchlist of a user.
public struct FindWatchlist: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(WatchlistColumns.list) FROM accounts.watchlist
        WHERE watchlist_id = $1 AND \(OwnerPredicate.sql("user_id = $2"))
        """

    private let id: UniqueID
    private let user: UserID

    /// Names both.
    public init(_ id: UniqueID, of user: UserID) {
        self.id = id
        self.user = user
    }

    /// Appends both keys.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(user.rawValue)
    }

    /// Reads the list.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Watchlist {
        try WatchlistColumns.read(&row)
    }
}

/// The entries of a watchlist in their order.
public struct ListWatchlistEntries: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT venue, symbol, place, added_at FROM accounts.watchlist_entry
        WHERE watchlist_id = $1 AND \(WatchlistColumns.isOwn)
        ORDER BY place, venue, symbol
        """

    private let id: UniqueID
    private let user: UserID

    /// Names the list and whose it is.
    public init(of id: UniqueID, by user: UserID) {
        self.id = id
        self.user = user
    }

    /// Appends both keys.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(user.rawValue)
    }

    /// Reads an entry.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> WatchlistEntry {
        WatchlistEntry(
            instrument: InstrumentID(venue: Venue(rawValue: try row.text()), symbol: try row.text()),
            place: try row.int32(), added: Timestamp(nanoseconds: try row.timestamp()))
    }
}

/// The columns of a watchlist, and how they are read.
enum WatchlistColumns {
    static let list = "watchlist_id, user_id, name, place, created_at"

    /// Limits a statement whose first two parameters are a list and a user to lists of that user.
    static let isOwn = OwnerPredicate.sql(
        "EXISTS (SELECT FROM accounts.watchlist AS own WHERE own.watchlist_id = $1 AND own.user_id = $2)")

    static func read(_ row: inout RowReader) throws(StoreError) -> Watchlist {
        Watchlist(
            id: try row.uniqueID(), user: UserID(rawValue: try row.uniqueID()), name: try row.text(),
            place: try row.int32(), created: Timestamp(nanoseconds: try row.timestamp()))
    }
}
