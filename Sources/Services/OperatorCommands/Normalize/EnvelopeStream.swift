import Instruments
import MarketData
import Venues
import Wire

/// Turns market events into the envelopes that would travel on the bus, numbered per topic.
///
/// A message counts as published when it was received, so that two runs are equal byte for byte.
struct EnvelopeStream {
    /// The publisher's name in every envelope.
    static let producer = "normalize"
    static let epoch: UInt64 = 1

    private var sequences: [String: UInt64] = [:]

    /// The envelope of an event; `nil` for what has no message, such as an instrument's description.
    mutating func envelope(
        _ event: MarketEvent, _ levels: [BookLevelChange], _ registry: InstrumentRegistry
    ) -> Bitpal_V1_Envelope? {
        switch event {
        case .book(let book): return self.book(book, levels, registry[book.instrument])
        case .state(let index, let change):
            let id = registry[index]
            return next(Topic.bookDelta(id), change.receivedTime, .bookStateChange(id, change))
        case .trade(let index, let trade):
            let id = registry[index]
            return next(Topic.trade(id), trade.receivedTime, .trade(id, trade))
        case .ticker(let index, let ticker):
            let id = registry[index]
            return next(Topic.ticker(id), ticker.receivedTime, .ticker(id, ticker))
        case .mark(let index, let mark):
            let id = registry[index]
            return next(Topic.mark(id), mark.receivedTime, .mark(id, mark))
        case .derivative(let index, let ticker):
            let id = registry[index]
            return next(Topic.derivative(id), ticker.receivedTime, .derivative(id, ticker))
        case .liquidation(let index, let liquidation):
            let id = registry[index]
            return next(Topic.liquidation(id), liquidation.receivedTime, .liquidation(id, liquidation))
        case .candle(let index, let candle):
            let id = registry[index]
            return next(Topic.candle(interval: candle.interval, id), candle.receivedTime, .candle(id, candle))
        case .instrument: return nil
        }
    }

    private mutating func book(
        _ event: BookEvent, _ levels: [BookLevelChange], _ id: InstrumentID
    ) -> Bitpal_V1_Envelope {
        let changes = levels[event.levels]
        let deltas = Topic.bookDelta(id)
        guard event.isSnapshot else {
            let delta = BookDelta(
                priceScale: event.priceScale, sizeScale: event.sizeScale, changes: Array(changes),
                venueTime: event.venueTime, receivedTime: event.receivedTime)
            return next(deltas, event.receivedTime, .bookDelta(id, delta))
        }
        let isCrossed = event.summary.isCrossed
        let position = StreamPosition(
            producer: EnvelopeStream.producer, epoch: EnvelopeStream.epoch, sequence: sequences[deltas] ?? 0)
        let snapshot = BookSnapshot(
            state: isCrossed ? .suspect : .live, reason: isCrossed ? .crossed : .verified,
            priceScale: event.priceScale, sizeScale: event.sizeScale,
            bids: changes.filter { $0.side == .bid }.map { BookLevel(price: $0.price, size: $0.size) },
            asks: changes.filter { $0.side == .ask }.map { BookLevel(price: $0.price, size: $0.size) },
            continues: position, venueTime: event.venueTime, receivedTime: event.receivedTime)
        return next(Topic.bookSnapshot(id), event.receivedTime, .bookSnapshot(id, snapshot))
    }

    private mutating func next(_ topic: String, _ time: Timestamp, _ event: WireEvent) -> Bitpal_V1_Envelope {
        let sequence = (sequences[topic] ?? 0) + 1
        sequences[topic] = sequence
        let header = MessageHeader(
            producer: EnvelopeStream.producer, epoch: EnvelopeStream.epoch, sequence: sequence,
            publishedTime: time)
        return EventEncoder.envelope(event, header: header)
    }
}

extension BookSummary {
    /// Whether the best bid is at or above the best ask.
    var isCrossed: Bool {
        guard let bid, let ask else { return false }
        return bid.price >= ask.price
    }
}
