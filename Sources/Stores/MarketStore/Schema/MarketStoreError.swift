package import Instruments

/// Why rows of market data cannot be stored; nothing was stored then.
package enum MarketStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// These have no row in `market.instrument`: store them first.
    case unknownInstruments([InstrumentID])
    /// A batch spans more days than one batch should make partitions for.
    case tooManyDays(found: Int, limit: Int)
    /// A batch spans more partitions than one batch should make.
    case tooManyPartitions(found: Int, limit: Int)
    /// The writer does not hold the leases of these shards, or no longer: another instance may write them.
    case leaseLost([Shard])
    /// Another instance does the task now.
    case taskLost(String)

    /// One line for a person.
    package var description: String {
        switch self {
        case .unknownInstruments(let ids):
            "no such instrument in market.instrument: \(ids.map(\.description).joined(separator: ", "))"
        case .tooManyDays(let found, let limit): "a batch of trades spans \(found) days, more than \(limit)"
        case .tooManyPartitions(let found, let limit):
            "a batch of candles spans \(found) partitions, more than \(limit)"
        case .leaseLost(let shards):
            "the lease is not held (shards \(shards.map(\.description).joined(separator: ", ")))"
        case .taskLost(let name): "another instance does the task \(name) now"
        }
    }
}
