import Bus
import Instruments
import Wire

/// The topics of one instrument, made once: no text is looked up per message.
final class InstrumentTopics {
    let id: InstrumentID
    let delta: PublisherTopic
    let snapshot: PublisherTopic
    let trade: PublisherTopic
    let ticker: PublisherTopic
    let mark: PublisherTopic
    let derivative: PublisherTopic
    let liquidation: PublisherTopic
    private let publisher: PublisherVoice
    private var candles: [String: PublisherTopic] = [:]

    /// - Throws: `BusError` when the symbol is too long for a topic or the publisher has too many.
    init(_ id: InstrumentID, _ publisher: PublisherVoice) throws(BusError) {
        self.id = id
        self.publisher = publisher
        delta = try publisher.topic(Topic.bookDelta(id))
        snapshot = try publisher.topic(Topic.bookSnapshot(id))
        trade = try publisher.topic(Topic.trade(id))
        ticker = try publisher.topic(Topic.ticker(id))
        mark = try publisher.topic(Topic.mark(id))
        derivative = try publisher.topic(Topic.derivative(id))
        liquidation = try publisher.topic(Topic.liquidation(id))
    }

    /// The topic of one interval's candles; `nil` for a name that no topic can carry, or the thirty-third.
    func candle(_ interval: String) -> PublisherTopic? {
        if let known = candles[interval] { return known }
        // Intervals are the venue's words: an endless supply of them must not become an endless supply of
        // topics.
        guard candles.count < 32, let topic = try? publisher.topic(Topic.candle(interval: interval, id))
        else { return nil }
        candles[interval] = topic
        return topic
    }
}
