import Instruments
import MarketData
import MarketState
import MarketStore
import Portfolio

/// Prices by venues' tickers of all their markets, of assets that no index prices.
///
/// Of the markets of a pair the one counts that is of now and turns over most, so that a price does not
/// wander between venues from one second to the next.
struct TickerQuotes: Sendable {
    private var board = MarketBoard()
    /// Who told of a venue's markets last, and when it was heard there.
    private var voices: [Venue: Voice] = [:]
    private var pairs: [InstrumentID: QuotePair] = [:]
    private var markets: [QuotePair: [InstrumentID]] = [:]

    private struct Voice: Sendable {
        var producer: String
        var heard: Timestamp
    }

    /// Spot markets that price what is wanted, in the place of those of before.
    ///
    /// - Returns: The pairs of which there may be a price now, or none any more.
    mutating func look(at instruments: [Instrument]) -> Set<QuotePair> {
        let before = Set(markets.keys)
        (pairs, markets) = ([:], [:])
        for instrument in instruments where instrument.kind == .spot {
            let pair = QuotePair(
                MarketCatalogue.common(instrument.base), MarketCatalogue.common(instrument.quote))
            pairs[instrument.id] = pair
            markets[pair, default: []].append(instrument.id)
        }
        return before.union(markets.keys)
    }

    /// Takes some of a venue's markets.
    ///
    /// - Returns: The pairs that are looked at and of which something else is known now; `nil` where it is
    ///   more than is kept.
    mutating func take(_ part: MarketTickerPart, by producer: String) -> Set<QuotePair>? {
        guard let changed = board.take(part) else { return nil }
        voices[part.venue] = Voice(producer: producer, heard: part.receivedTime)
        return Set(changed.compactMap { pairs[$0] })
    }

    /// All pairs that are looked at.
    var all: [QuotePair] { Array(markets.keys) }

    /// Who told something that is kept.
    var producers: Set<String> { Set(voices.values.map(\.producer)) }

    /// The price of a pair.
    ///
    /// - Parameters:
    ///   - pair: One that is looked at.
    ///   - doubt: Why nothing that somebody said is of now; `nil` where it is.
    /// - Returns: That of the greatest turnover; `nil` where no venue tells one.
    func quote(of pair: QuotePair, doubt: (String) -> String?) -> LiveQuote? {
        var best: (quote: LiveQuote, turnover: Amount)?
        for id in markets[pair] ?? [] {
            guard let entry = board[id], let voice = voices[id.venue] else { continue }
            let stale = entry.stale.isEmpty ? doubt(voice.producer) : entry.stale
            let quote = LiveQuote(
                price: Amount(entry.ticker.last), time: entry.ticker.venueTime ?? voice.heard,
                source: "ticker \(id)", stale: stale, origin: .ticker)
            let turnover = entry.ticker.quoteVolume ?? .zero
            if let best {
                let (isOld, wasOld) = (quote.stale != nil, best.quote.stale != nil)
                if isOld != wasOld ? isOld : turnover <= best.turnover { continue }
            }
            best = (quote, turnover)
        }
        return best?.quote
    }
}
