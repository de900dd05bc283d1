package import Bus
package import Instruments
import MarketData

/// A book-builder without sockets and PostgreSQL, to measure what a message costs: it decodes, keeps books,
/// candles and the last 24 hours, and makes and encodes everything that is told and stored.
package final class BuilderLoad {
    private var core: BuilderCore
    private let publisher: Publisher
    private let books: ArchiveQueue
    private let candles: CandleQueue

    /// - Parameters:
    ///   - configuration: The bounds.
    ///   - publisher: Not running; what it is offered is thrown away.
    ///   - instruments: What is known of them.
    package init(
        _ configuration: BookBuildingConfiguration, _ publisher: Publisher, _ instruments: [Instrument]
    ) {
        self.publisher = publisher
        books = ArchiveQueue(maximumLevels: configuration.maximumWaitingLevels)
        candles = CandleQueue(maximum: configuration.maximumWaitingCandles)
        core = BuilderCore(
            configuration: configuration, publisher: publisher, archive: books, candles: candles,
            reads: nil, mends: nil, requestState: { _ in })
        core.describe(instruments)
    }

    /// As the subscriber's thread does.
    package func take(_ batch: BusBatch, at now: Timestamp) {
        core.take(batch, at: now)
        publisher.discard()
    }

    /// As ten times a second; what would be written is taken away.
    package func tick(at now: Timestamp) {
        core.tick(at: now)
        while books.take() != nil {}
        while !candles.take(2_000).isEmpty {}
        publisher.discard()
    }

    /// Books that are live, messages told, and messages that made no sense, since the start.
    package var figures: (live: Int, tops: UInt64, candles: UInt64, tickers: UInt64, malformed: UInt64) {
        let live = core.set.entries.count { $0.replica.state == .live }
        return (live, core.set.counts.tops, core.market.candles, core.market.tickers, core.malformed)
    }
}
