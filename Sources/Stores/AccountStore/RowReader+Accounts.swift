import Accounts
import Instruments
import Store

extension RowReader {
    /// A `timestamptz`.
    mutating func time() throws(StoreError) -> Timestamp { Timestamp(nanoseconds: try timestamp()) }

    /// A `timestamptz` or NULL.
    mutating func timeOrNil() throws(StoreError) -> Timestamp? {
        try timestampOrNil().map { Timestamp(nanoseconds: $0) }
    }

    /// The key of a user.
    mutating func user() throws(StoreError) -> UserID { UserID(rawValue: try uniqueID()) }

    /// A word of an enumeration.
    mutating func word<Word: RawRepresentable<String>>(_ type: Word.Type) throws(StoreError) -> Word {
        guard let word = Word(rawValue: try text()) else { throw refusal() }
        return word
    }
}

extension Timestamp {
    /// As a `timestamptz` keeps it, so that what a change returns equals what is read later.
    var stored: Timestamp {
        let (microseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000)
        return Timestamp(nanoseconds: (rest < 0 ? microseconds - 1 : microseconds) * 1_000)
    }
}
