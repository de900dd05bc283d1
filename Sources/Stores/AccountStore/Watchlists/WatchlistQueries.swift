import Instruments
import MarketStore
package import Store

extension Session {
    /// The watchlists of a user in their order.
    package func watchlists(of user: UserID) throws(StoreError) -> [Watchlist] {
        try rows(
            """
            SELECT \(Watchlist.columns) FROM accounts.watchlist
            WHERE \(owner: "user_id", is: user)
            ORDER BY place, watchlist_id
            """, Watchlist.init)
    }

    /// One watchlist of a user; `nil` when the user has no such list.
    package func watchlist(_ id: UniqueID, of user: UserID) throws(StoreError) -> Watchlist? {
        try first(
            """
            SELECT \(Watchlist.columns) FROM accounts.watchlist
            WHERE watchlist_id = \(id) AND \(owner: "user_id", is: user)
            """, Watchlist.init)
    }

    /// The entries of a watchlist in their order; none when it is not the user's.
    package func watchlistEntries(of id: UniqueID, by user: UserID) throws(StoreError) -> [WatchlistEntry] {
        try rows(
            """
            SELECT venue, symbol, place, added_at FROM accounts.watchlist_entry
            WHERE watchlist_id = \(id) AND \(ownerOf: id, is: user)
            ORDER BY place, venue, symbol
            """
        ) { row in
            WatchlistEntry(
                instrument: try row.instrumentID(),
                place: try row.int32(), added: try row.time())
        }
    }

    /// How many entries each watchlist of a user has; those without any are not named.
    package func watchlistSizes(of user: UserID) throws(StoreError) -> [UniqueID: Int] {
        let sizes = try rows(
            """
            SELECT watchlist_id, count(*)
            FROM accounts.watchlist JOIN accounts.watchlist_entry USING (watchlist_id)
            WHERE \(owner: "user_id", is: user)
            GROUP BY watchlist_id
            """
        ) { row in (id: try row.uniqueID(), count: Int(try row.int64())) }
        return Dictionary(sizes.map { ($0.id, $0.count) }) { first, _ in first }
    }
}

extension Watchlist {
    static let columns: SQL = "watchlist_id, user_id, name, place, created_at"

    init(_ row: inout RowReader) throws(StoreError) {
        self.init(
            id: try row.uniqueID(), user: try row.user(), name: try row.text(), place: try row.int32(),
            created: try row.time())
    }
}

extension Query.StringInterpolation {
    /// The condition that limits the statement to the entries of a list of one owner.
    mutating func appendInterpolation(ownerOf list: UniqueID, is user: UserID) {
        appendLiteral("/*owner*/(EXISTS (SELECT FROM accounts.watchlist AS own WHERE own.watchlist_id = ")
        appendInterpolation(list)
        appendLiteral(" AND own.user_id = ")
        appendInterpolation(user)
        appendLiteral("))/*own*/")
    }
}
