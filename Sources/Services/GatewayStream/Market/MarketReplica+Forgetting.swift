import Instruments
import MarketData

extension MarketReplica {
    /// Nobody has heard of these producers for long: what they said of themselves goes.
    ///
    /// What they said of the market stays, and stays doubted.
    mutating func forget(_ producers: Set<String>) {
        services = services.filter { !producers.contains($0.value.producer) }
        condition.forget(producers.subtracting(speakers))
    }

    /// Who said what is kept.
    private var speakers: Set<String> {
        var speakers = Set(depths.values.map(\.producer))
        for ticker in tickers.values {
            for speaker in [ticker.day?.producer, ticker.top?.producer, ticker.venue?.producer] {
                if let speaker { speakers.insert(speaker) }
            }
        }
        speakers.formUnion(boardVoices.values.map(\.producer))
        speakers.formUnion(indices.values.map(\.producer))
        speakers.formUnion(feeds.values.map(\.producer))
        speakers.formUnion(valuations.values.map(\.producer))
        speakers.formUnion(books.values.compactMap { $0.replica.position?.producer })
        return speakers
    }
}
