package import Instruments
package import Store

/// Instruments that a user wants to see at a glance, without its entries.
package struct Watchlist: Hashable, Sendable {
    /// The key: a UUID of version 7.
    package var id: UniqueID
    package var user: UserID
    /// Unique for the user, 1...64 bytes.
    package var name: String
    /// Order among the lists of the user.
    package var place: Int32
    package var created: Timestamp
}

/// One instrument of a watchlist.
package struct WatchlistEntry: Hashable, Sendable {
    /// What is watched.
    package var instrument: InstrumentID
    /// Order within the list.
    package var place: Int32
    /// Since when.
    package var added: Timestamp
}

/// How much one user may watch.
package enum WatchlistLimits {
    /// Lists of one user.
    package static let lists = 50
    /// Entries of one list.
    package static let entries = 200
}

/// Why a watchlist cannot be changed as asked; nothing was stored then.
package enum WatchlistRefused: Error, Hashable, Sendable, CustomStringConvertible {
    /// A value that is not accepted.
    case fault(FieldFault)
    /// The list has the instrument already.
    case duplicate(InstrumentID)
    /// It has no row in `market.instrument`.
    case unknownInstrument(InstrumentID)
    /// The user has no such list.
    case noSuchWatchlist(UniqueID)
    /// The list has no such entry.
    case noSuchEntry(InstrumentID)
    /// There is no such user.
    case noSuchUser

    /// One line for a person.
    package var description: String {
        switch self {
        case .fault(let fault): fault.description
        case .duplicate(let id): "the list has \(id) already"
        case .unknownInstrument(let id): FieldFault.unknownInstrument(id).description
        case .noSuchWatchlist(let id): "there is no watchlist \(id)"
        case .noSuchEntry(let id): "the list has no entry \(id)"
        case .noSuchUser: "there is no such user"
        }
    }
}
