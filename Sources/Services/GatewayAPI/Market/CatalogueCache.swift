import Instruments
import MarketStore
import Store
import Synchronization

/// The catalogue of instruments, read again when a minute is over.
final class CatalogueCache: Sendable {
    /// How long what was read is good, in nanoseconds: one minute.
    static let patience: Int64 = 60_000_000_000
    /// The same while no coin is known: their list is read soon after a start.
    static let earlyPatience: Int64 = 5_000_000_000

    private struct Kept {
        var catalogue: MarketCatalogue
        var byName: [InstrumentID: Instrument]
        var byPair: [String: [Instrument]]
        var time: Timestamp
    }

    private let kept = Mutex<Kept?>(nil)
    private let database: Database
    private let clock: @Sendable () -> Timestamp

    init(database: Database, clock: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.clock = clock
    }

    /// The catalogue; an empty one is not kept, for a new installation learns of instruments any moment.
    func current() async throws -> MarketCatalogue {
        let now = clock()
        if let kept = kept.withLock({ $0 }) {
            let patience = kept.catalogue.coins.isEmpty ? Self.earlyPatience : Self.patience
            if abs(now.nanoseconds(since: kept.time)) < patience { return kept.catalogue }
        }
        let catalogue = try await MarketCatalogue(database)
        if !catalogue.instruments.isEmpty {
            let byName = Dictionary(catalogue.instruments.map { ($0.id, $0) }) { first, _ in first }
            let byPair = Dictionary(grouping: catalogue.instruments) { Self.pair($0.base, $0.quote) }
            kept.withLock { $0 = Kept(catalogue: catalogue, byName: byName, byPair: byPair, time: now) }
        }
        return catalogue
    }

    /// The instruments of a pair, by the names that venues have in common; in the catalogue's order.
    ///
    /// - Throws: `StoreError`.
    func instruments(of base: Asset, _ quote: Asset) async throws -> [Instrument] {
        _ = try await current()
        return kept.withLock { $0?.byPair[Self.pair(base, quote)] } ?? []
    }

    private static func pair(_ base: Asset, _ quote: Asset) -> String {
        "\(MarketCatalogue.common(base))-\(MarketCatalogue.common(quote))"
    }

    /// One instrument: at once where it is in the catalogue, else from the database.
    ///
    /// - Throws: `StoreError`.
    func instrument(_ id: InstrumentID) async throws -> Instrument? {
        if let known = try await lookUp(id) { return known }
        return try await database.instrument(id)
    }

    private func lookUp(_ id: InstrumentID) async throws -> Instrument? {
        _ = try await current()
        return kept.withLock { $0?.byName[id] }
    }
}
