import Instruments
import MarketState

extension MarketReplica {
    /// What is known of an instrument's price, by whatever is known of it; `nil` where nothing is.
    func ticker(_ id: InstrumentID) -> KnownTicker? {
        let followed = tickers[id]
        guard let entry = board[id], let voice = boardVoices[id.venue] else { return followed }
        var known = followed ?? KnownTicker(instrument: id)
        known.market = ReceivedValue(value: entry, time: voice.time, producer: voice.producer)
        return known
    }
}
