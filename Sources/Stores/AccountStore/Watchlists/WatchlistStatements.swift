import Instruments
import Store

struct InsertWatchlist: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO accounts.watchlist (watchlist_id, user_id, name, place, created_at)
        VALUES ($1, $2, $3, $4, $5)
        """

    let list: Watchlist

    func bind(_ parameters: inout Parameters) {
        parameters.append(list.id)
        parameters.append(list.user.rawValue)
        parameters.append(list.name)
        parameters.append(list.place)
        parameters.append(timestamp: list.created.nanoseconds)
    }
}

struct UpdateWatchlist: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE accounts.watchlist SET name = $3, place = $4
        WHERE watchlist_id = $1 AND \(OwnerPredicate.sql("user_id = $2"))
            AND (name, place) IS DISTINCT FROM ($3, $4)
        """

    let id: UniqueID
    let user: UserID
    let name: String
    let place: Int32

    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(user.rawValue)
        parameters.append(name)
        parameters.append(place)
    }
}

struct DeleteWatchlist: Statement {
    typealias Row = Void
    static let sql = """
        DELETE FROM accounts.watchlist WHERE watchlist_id = $1 AND \(OwnerPredicate.sql("user_id = $2"))
        """

    let id: UniqueID
    let user: UserID

    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(user.rawValue)
    }
}

struct LockWatchlist: Statement {
    static let sql = """
        SELECT \(WatchlistColumns.list) FROM accounts.watchlist
        WHERE watchlist_id = $1 AND \(OwnerPredicate.sql("user_id = $2"))
        FOR NO KEY UPDATE
        """

    let id: UniqueID
    let user: UserID

    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(user.rawValue)
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> Watchlist {
        try WatchlistColumns.read(&row)
    }
}

struct InsertEntry: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO accounts.watchlist_entry (watchlist_id, venue, symbol, place, added_at)
        SELECT $1, $3, $4, $5, $6 WHERE \(WatchlistColumns.isOwn)
        """

    let list: UniqueID
    let user: UserID
    let entry: WatchlistEntry

    func bind(_ parameters: inout Parameters) {
        parameters.append(list)
        parameters.append(user.rawValue)
        parameters.append(entry.instrument.venue.rawValue)
        parameters.append(entry.instrument.symbol)
        parameters.append(entry.place)
        parameters.append(timestamp: entry.added.nanoseconds)
    }
}

struct DeleteEntry: Statement {
    typealias Row = Void
    static let sql = """
        DELETE FROM accounts.watchlist_entry
        WHERE watchlist_id = $1 AND venue = $3 AND symbol = $4 AND \(WatchlistColumns.isOwn)
        """

    let list: UniqueID
    let user: UserID
    let instrument: InstrumentID

    func bind(_ parameters: inout Parameters) {
        parameters.append(list)
        parameters.append(user.rawValue)
        parameters.append(instrument.venue.rawValue)
        parameters.append(instrument.symbol)
    }
}

struct PlaceEntry: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE accounts.watchlist_entry SET place = $5
        WHERE watchlist_id = $1 AND venue = $3 AND symbol = $4 AND \(WatchlistColumns.isOwn)
        """

    let list: UniqueID
    let user: UserID
    let entry: WatchlistEntry

    func bind(_ parameters: inout Parameters) {
        parameters.append(list)
        parameters.append(user.rawValue)
        parameters.append(entry.instrument.venue.rawValue)
        parameters.append(entry.instrument.symbol)
        parameters.append(entry.place)
    }
}
