import Instruments
package import MarketData
import MarketState
import Wire

/// What is known of an instrument's price: the day by our own count, the best prices of the proven book, and
/// what the venue says itself of it, alone and among all of its markets, of a derivative also its state.
package struct KnownTicker: Sendable {
    let instrument: InstrumentID
    /// The last 24 hours.
    var day: ReceivedValue<Bitpal_V1_DayTicker>?
    /// Best bid and ask of the proven book.
    package var top: ReceivedValue<BookTop>?
    /// Best bid and ask by the venue.
    var venue: ReceivedValue<Ticker>?
    /// What the venue says of it among all of its markets.
    var market: ReceivedValue<MarketBoard.Entry>?
    /// Mark price, funding and open interest by the venue.
    var derivative: ReceivedValue<DerivativeTicker>?

    /// When the newest of those was heard that say the price: what is followed, or else all markets; of what
    /// has neither, its state as a derivative.
    var heard: Timestamp {
        let followed = [day?.time, top?.time, venue?.time].compactMap { $0 }.max()
        return followed ?? market?.time ?? derivative?.time ?? .zero
    }
}

/// A whole book as it stands, and how far it may be believed.
package struct KnownBook: Sendable {
    /// The book with its state.
    package var replica: BookReplica
    /// Our own connection to it.
    var connection: BusConnectionState.Word
    /// When we last heard of it, by our own clock.
    var heard: Timestamp
}

/// The newest candle of a length of an instrument, and the one before, which may still change when the newest
/// has begun: who hears only the newest now and then would never hear how the other ended.
struct KnownCandles: Sendable {
    /// The one of the latest start.
    private(set) var newest: Bitpal_V1_Candle?
    /// The one of the latest start before.
    private(set) var previous: Bitpal_V1_Candle?

    /// Takes what was said of a candle; false when it is older than both.
    mutating func take(_ candle: Bitpal_V1_Candle) -> Bool {
        let start = candle.startUnixNanos
        if let newest, start < newest.startUnixNanos {
            if let previous, start < previous.startUnixNanos { return false }
            previous = candle
            return true
        }
        if let newest, start > newest.startUnixNanos { previous = newest }
        newest = candle
        return true
    }
}
