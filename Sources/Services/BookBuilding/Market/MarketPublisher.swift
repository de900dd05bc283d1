import Bus
import Instruments
import MarketData
import MarketState
import Wire

/// Says candles and tickers on the bus.
struct MarketPublisher: Sendable {
    /// What is known of instruments.
    private(set) var instruments: [InstrumentID: Instrument] = [:]
    /// Candles said.
    private(set) var candles: UInt64 = 0
    /// Tickers said.
    private(set) var tickers: UInt64 = 0
    /// By the market's number, then by the interval's rank.
    private var candleTopics: [[PublisherTopic?]] = []
    private var tickerTopics: [PublisherTopic?] = []
    private var told: [PublishedTicker?] = []
    private let publisher: Publisher

    init(_ publisher: Publisher) { self.publisher = publisher }

    /// What is known of instruments.
    mutating func describe(_ instruments: [Instrument]) {
        for instrument in instruments { self.instruments[instrument.id] = instrument }
    }

    /// The broker knows nothing any more.
    mutating func forget() { for index in told.indices { told[index] = nil } }

    private func terms(of id: InstrumentID) -> ContractTerms? { instruments[id].map(ContractTerms.init) }

    /// Says a candle.
    mutating func publish(
        _ candle: Candle, of id: InstrumentID, _ index: Int, at now: Timestamp,
        into batch: inout OutboundBatch
    ) {
        let rank = candle.interval.rank
        while candleTopics.count <= index {
            candleTopics.append([PublisherTopic?](repeating: nil, count: CandleInterval.allCases.count))
        }
        if candleTopics[index][rank] == nil {
            let text = Topic.candle(interval: candle.interval.rawValue, id)
            // No topic is free above a bound that is far more than what is followed.
            candleTopics[index][rank] = try? publisher.topic(text)
        }
        guard let topic = candleTopics[index][rank] else { return }
        candles &+= 1
        batch.append(.madeCandle(id, Bitpal_V1_Candle(candle, terms(of: id), at: now)), to: topic)
    }

    /// Says the tickers that changed.
    mutating func tellTickers(
        of board: borrowing MarketSet, _ set: borrowing BookSet, at now: Timestamp,
        into batch: inout OutboundBatch
    ) {
        while told.count < board.markets.count {
            told.append(nil)
            tickerTopics.append(nil)
        }
        for index in board.markets.indices where board.markets[index].phase != .idle {
            tellTicker(index, of: board, set, at: now, into: &batch)
        }
    }

    private mutating func tellTicker(
        _ index: Int, of board: borrowing MarketSet, _ set: borrowing BookSet, at now: Timestamp,
        into batch: inout OutboundBatch
    ) {
        let id = board.markets[index].id
        let statistics = board.markets[index].day?.statistics
        let top = set.find(id).flatMap { set[$0].told }
        if statistics == nil && top == nil { return }
        let facts = PublishedTicker(
            statistics: statistics.map(PublishedTicker.DayFacts.init), top: top,
            isIncomplete: statistics.map { board.markets[index].isIncomplete(since: $0.start) } ?? true,
            staleReason: board.staleReason(of: index, at: now))
        guard facts != told[index] else { return }
        // Until the tape was read it is not known what is missing: what was said before is worth more.
        if board.markets[index].phase == .recovering { return }
        // No topic is free above a bound that is far more than what is followed.
        if tickerTopics[index] == nil { tickerTopics[index] = try? publisher.topic(Topic.dayTicker(id)) }
        guard let topic = tickerTopics[index] else { return }
        told[index] = facts
        tickers &+= 1
        batch.append(.dayTicker(id, Bitpal_V1_DayTicker(facts, statistics, terms(of: id))), to: topic)
    }
}
