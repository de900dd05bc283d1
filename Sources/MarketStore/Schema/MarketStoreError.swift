public import Instruments

/// Why rows of market data cannot be stored; nothing was stored then.
public enum MarketStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// These have no row in `market.instrument`: store them with ``UpsertInstruments`` first.
    case unknownInstruments([InstrumentID])
    /// A batch spans more days than one batch should make partitions for.
    case tooManyDays(found: Int, limit: Int)

    /// One line for a person.
    public var description: String {
        switch self {
        case .unknownInstruments(let ids):
            "no such instrument in market.instrument: \(ids.map(\.description).joined(separator: ", "))"
        case .tooManyDays(let found, let limit): "a batch of trades spans \(found) days, more than \(limit)"
        }
    }
}
