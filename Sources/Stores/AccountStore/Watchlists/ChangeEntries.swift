package import Instruments
import MarketStore
package import Store

extension Session {
    /// Adds an instrument at the end of a watchlist, and asks the feeds for it.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameters:
    ///   - instrument: One that is known and that the list has not got.
    ///   - id: Which list.
    ///   - user: Whose.
    ///   - now: The time of the change.
    /// - Returns: The entry as it is stored.
    /// - Throws: ``StoreError``; ``WatchlistRefused`` as its ``StoreError/bodyError``.
    package func addEntry(
        _ instrument: InstrumentID, to id: UniqueID, of user: UserID, at now: Timestamp
    ) throws(StoreError) -> WatchlistEntry {
        _ = try lockWatchlist(id, of: user)
        let entries = try watchlistEntries(of: id, by: user)
        guard !entries.contains(where: { $0.instrument == instrument }) else {
            throw .body(WatchlistRefused.duplicate(instrument))
        }
        guard entries.count < WatchlistLimits.entries else {
            throw .body(
                WatchlistRefused.fault(
                    FieldFault(
                        "instrument",
                        "\"\(instrument)\", one more than \(entries.count) entries",
                        accepted: "at most \(WatchlistLimits.entries) entries; remove one")))
        }
        guard try self.instrument(instrument) != nil else {
            throw .body(WatchlistRefused.unknownInstrument(instrument))
        }
        let entry = WatchlistEntry(
            instrument: instrument, place: (entries.map(\.place).max() ?? -1) + 1,
            added: now.inMicroseconds)
        try execute(
            """
            INSERT INTO accounts.watchlist_entry (watchlist_id, venue, symbol, place, added_at)
            SELECT \(id), \(instrument.venue.rawValue), \(instrument.symbol), \(entry.place), \(entry.added)
            WHERE \(ownerOf: id, is: user)
            """)
        let wish = Subscription(
            instrument: instrument, channels: ["book", "trade", "ticker", "derivative"],
            wantedBy: "watchlist:\(id)")
        try execute(.addSubscription(wish, at: now))
        return entry
    }

    /// Removes an instrument from a watchlist; the feeds bring it no more because of it.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``WatchlistRefused`` as its ``StoreError/bodyError``.
    package func removeEntry(
        _ instrument: InstrumentID, from id: UniqueID, of user: UserID
    ) throws(StoreError) {
        _ = try lockWatchlist(id, of: user)
        let deleted = try execute(
            """
            DELETE FROM accounts.watchlist_entry
            WHERE watchlist_id = \(id) AND venue = \(instrument.venue.rawValue)
                AND symbol = \(instrument.symbol) AND \(ownerOf: id, is: user)
            """)
        guard deleted == 1 else { throw .body(WatchlistRefused.noSuchEntry(instrument)) }
        try execute(.removeSubscription(instrument, wantedBy: "watchlist:\(id)"))
    }

    /// Puts the entries of a watchlist in another order.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameters:
    ///   - instruments: Exactly those of the list, each once, in the new order.
    ///   - id: Which list.
    ///   - user: Whose.
    /// - Returns: The entries in their new order.
    /// - Throws: ``StoreError``; ``WatchlistRefused`` as its ``StoreError/bodyError``.
    package func orderEntries(
        _ instruments: [InstrumentID], of id: UniqueID, by user: UserID
    ) throws(StoreError) -> [WatchlistEntry] {
        _ = try lockWatchlist(id, of: user)
        let entries = try watchlistEntries(of: id, by: user)
        var known: [InstrumentID: WatchlistEntry] = [:]
        for entry in entries { known[entry.instrument] = entry }
        var ordered: [WatchlistEntry] = []
        for instrument in instruments {
            guard var entry = known.removeValue(forKey: instrument) else {
                throw .body(
                    WatchlistRefused.fault(
                        FieldFault(
                            "instruments", "\"\(instrument)\"",
                            accepted: "the instruments of the list, each once")))
            }
            entry.place = Int32(ordered.count)
            ordered.append(entry)
        }
        if let missing = entries.first(where: { known[$0.instrument] != nil }) {
            throw .body(
                WatchlistRefused.fault(
                    FieldFault(
                        "instruments", "without \"\(missing.instrument)\"",
                        accepted: "the instruments of the list, each once")))
        }
        var batch = StatementBatch()
        for entry in ordered {
            batch.append(
                """
                UPDATE accounts.watchlist_entry SET place = \(entry.place)
                WHERE watchlist_id = \(id) AND venue = \(entry.instrument.venue.rawValue)
                    AND symbol = \(entry.instrument.symbol) AND \(ownerOf: id, is: user)
                """)
        }
        try send(batch)
        return ordered
    }
}
