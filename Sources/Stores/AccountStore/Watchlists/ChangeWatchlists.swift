package import Instruments
import MarketStore
package import Store

extension Session {
    /// Makes a watchlist, the last one of its user.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameters:
    ///   - id: A key that no list has or had, see ``UniqueID/init(version7At:using:)``.
    ///   - name: 1...64 bytes that no other list of the user has.
    ///   - user: Whose.
    ///   - now: The time of the change.
    /// - Returns: The list as it is stored.
    /// - Throws: ``StoreError``; ``WatchlistRefused`` as its ``StoreError/bodyError``.
    package func createWatchlist(
        _ id: UniqueID, named name: String, of user: UserID, at now: Timestamp
    ) throws(StoreError) -> Watchlist {
        guard try lockUser(user) else { throw .body(WatchlistRefused.noSuchUser) }
        let lists = try watchlists(of: user)
        guard lists.count < WatchlistLimits.lists else {
            throw .body(
                WatchlistRefused.fault(
                    FieldFault(
                        "name", "\"\(name.prefix(80))\", one more than \(lists.count) lists",
                        accepted: "at most \(WatchlistLimits.lists) lists; delete one")))
        }
        try check(name, among: lists)
        let list = Watchlist(
            id: id, user: user, name: name, place: (lists.map(\.place).max() ?? -1) + 1,
            created: now.inMicroseconds)
        try execute(
            """
            INSERT INTO accounts.watchlist (watchlist_id, user_id, name, place, created_at)
            VALUES (\(list.id), \(list.user), \(list.name), \(list.place), \(list.created))
            """)
        return list
    }

    /// Gives a watchlist another name, another place among the lists of its user, or both.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - user: Whose.
    ///   - name: `nil` to leave it as it is.
    ///   - position: From 0, the last one when it is past the end; `nil` to leave it where it is.
    /// - Returns: The list as it is now.
    /// - Throws: ``StoreError``; ``WatchlistRefused`` as its ``StoreError/bodyError``.
    package func changeWatchlist(
        _ id: UniqueID, of user: UserID, name: String?, position: Int?
    ) throws(StoreError) -> Watchlist {
        guard try lockUser(user) else { throw .body(WatchlistRefused.noSuchUser) }
        var lists = try watchlists(of: user)
        guard let index = lists.firstIndex(where: { $0.id == id }) else {
            throw .body(WatchlistRefused.noSuchWatchlist(id))
        }
        var list = lists.remove(at: index)
        if let name {
            try check(name, among: lists)
            list.name = name
        }
        guard position.map({ $0 >= 0 }) ?? true else {
            throw .body(
                WatchlistRefused.fault(
                    FieldFault("position", "\(position ?? 0)", accepted: "a whole number from 0")))
        }
        lists.insert(list, at: min(position ?? index, lists.count))
        var batch = StatementBatch()
        for (place, list) in lists.enumerated() {
            let place = Int32(place)
            batch.append(
                """
                UPDATE accounts.watchlist SET name = \(list.name), place = \(place)
                WHERE watchlist_id = \(list.id) AND \(owner: "user_id", is: user)
                    AND (name, place) IS DISTINCT FROM (\(list.name), \(place))
                """)
        }
        try send(batch)
        list.place = Int32(min(position ?? index, lists.count - 1))
        return list
    }

    /// Deletes a watchlist with its entries; nobody wants them any more because of it.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``WatchlistRefused`` as its ``StoreError/bodyError``.
    package func deleteWatchlist(_ id: UniqueID, of user: UserID) throws(StoreError) {
        _ = try lockWatchlist(id, of: user)
        for entry in try watchlistEntries(of: id, by: user) {
            try execute(.removeSubscription(entry.instrument, wantedBy: "watchlist:\(id)"))
        }
        try execute(
            "DELETE FROM accounts.watchlist WHERE watchlist_id = \(id) AND \(owner: "user_id", is: user)")
    }

    private func check(_ name: String, among lists: [Watchlist]) throws(StoreError) {
        guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw .body(
                WatchlistRefused.fault(
                    FieldFault("name", "\"\(name.prefix(80))\"", accepted: "one line of 1...64 bytes")))
        }
        guard !lists.contains(where: { $0.name == name }) else {
            throw .body(
                WatchlistRefused.fault(
                    FieldFault("name", "\"\(name)\"", accepted: "a name that none of your lists has")))
        }
    }

    /// The list, locked: two writers of one list wait for each other here.
    func lockWatchlist(_ id: UniqueID, of user: UserID) throws(StoreError) -> Watchlist {
        let found = try first(
            """
            SELECT \(Watchlist.columns) FROM accounts.watchlist
            WHERE watchlist_id = \(id) AND \(owner: "user_id", is: user)
            FOR NO KEY UPDATE
            """, Watchlist.init)
        guard let list = found else { throw .body(WatchlistRefused.noSuchWatchlist(id)) }
        return list
    }
}
