import Instruments
import MarketData

/// The newest that was told of what has a state, so that a connection that is behind, or that knows less yet,
/// takes nothing back.
struct ToldStates: Sendable {
    private var tickers: [InstrumentIndex: Timestamp] = [:]
    private var marks: [InstrumentIndex: Timestamp] = [:]
    private var derivatives: [InstrumentIndex: DerivativeTicker] = [:]
    /// The start of the last closed candle, by the name of the interval.
    private var candles: [InstrumentIndex: [String: Timestamp]] = [:]

    /// What is to be told of an event.
    ///
    /// - Parameter event: One that counts.
    /// - Returns: The event; a derivative's state with what was known of it before; `nil` for what is older
    ///   than what was told.
    mutating func admit(_ event: MarketEvent) -> MarketEvent? {
        switch event {
        case .ticker(let index, let ticker):
            guard let time = ticker.venueTime else { return event }
            if let last = tickers[index], time < last { return nil }
            tickers[index] = time
        case .mark(let index, let mark):
            if let last = marks[index], mark.venueTime < last { return nil }
            marks[index] = mark.venueTime
        case .derivative(let index, let said):
            guard var known = derivatives[index] else {
                derivatives[index] = said
                return event
            }
            if let time = said.venueTime, let last = known.venueTime, time < last { return nil }
            guard known.take(said) else { return nil }
            derivatives[index] = known
            return .derivative(index, known)
        case .candle(let index, let candle):
            let last = candles[index]?[candle.interval]
            if let last, candle.start <= last { return nil }
            if candle.isClosed { candles[index, default: [:]][candle.interval] = candle.start }
        case .book, .state, .trade, .liquidation, .instrument: break
        }
        return event
    }
}
