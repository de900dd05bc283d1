import Instruments
import MarketData
import Testing
import Venues

/// What a message about a book says.
struct Telling: Sendable {
    /// As the venue writes it.
    let symbol: String
    /// The book after it.
    let book: SpokenBook
    /// What has become another; `nil` where the whole book is told.
    var level: SpokenLevel?
    /// Whether the level was there before.
    var wasThere = false
    /// The number of the change before this one.
    var previous = 0
    /// The number of this change, or of the last one that the whole book has.
    let number: Int
    /// Which of the numbered messages of its connection it is, from 1 on.
    var place = 0

    /// One side of what it tells, the best first; the levels that are gone have size 0.
    func rows(_ side: BookSide) -> [(price: Int, size: Int)] {
        guard let level else { return book.levels(side) }
        return level.side == side ? [(level.price, level.size)] : []
    }

    /// One side of what it tells, each level written and joined by commas.
    func list(_ side: BookSide, _ write: ((price: Int, size: Int)) -> String) -> String {
        rows(side).map(write).joined(separator: ",")
    }
}

/// A venue's own voice: what it says of any book, and how it answers.
///
/// Written after the same documentation as the venue's ``VenueSample``, which says of what.
struct VenueSpeaker: Sendable, CustomTestStringConvertible {
    let sample: VenueSample
    /// What proves its books, where that is more than its description says for all its interfaces.
    var proof: BookProof
    /// How much the number of a book grows with a change.
    var stride = 1
    /// Whether whole books are answers to requests; elsewhere a subscription brings them.
    var imagesByRequest = false
    /// Whether the address of a connection subscribes to all that is followed.
    var subscribesByAddress = false
    /// Whole book.
    let image: @Sendable (Telling) -> String
    /// A change.
    let change: @Sendable (Telling) -> String
    /// The answer to the request that an audit makes.
    let audit: @Sendable (Telling) -> String
    /// What it says to a message of ours that is about a symbol, before anything else of it.
    var confirmation: @Sendable (_ text: String, _ symbol: String) -> String?

    init(
        _ sample: VenueSample, image: @escaping @Sendable (Telling) -> String,
        change: @escaping @Sendable (Telling) -> String, audit: @escaping @Sendable (Telling) -> String
    ) {
        self.sample = sample
        self.image = image
        self.change = change
        self.audit = audit
        proof = sample.description.proof
        confirmation = { text, _ in sample.confirmation(text) }
    }

    var testDescription: String { sample.testDescription }

    /// A pair of texts, as most venues write a level.
    static func pair(_ row: (price: Int, size: Int)) -> String { #"["\#(row.price)","\#(row.size)"]"# }

    /// A pair of numbers.
    static func numbers(_ row: (price: Int, size: Int)) -> String { "[\(row.price).0,\(row.size).0]" }

    /// Every venue of the catalogue.
    static let catalogued: [VenueSpeaker] = [
        bitmex, kraken, binance(Binance.spot), binance(Binance.us), binance(Binance.usdm), krakenFutures,
        gateio(Gateio.spot), gateio(Gateio.futures), poloniex, coinbase, gemini, bitstamp,
        binance(Binance.coinm), bitfinex, huobi, upbit, cryptoCom, hyperliquid, okx(OKX.description),
        okx(OKX.okcoin), bitget, kucoin, bybit(Bybit.spot), bybit(Bybit.linear), bybit(Bybit.inverse),
        deribit,
    ]

    static func example(of venue: VenueDescription) -> VenueSample {
        guard let sample = VenueSample.catalogued.first(where: { $0.description.venue == venue.venue }) else {
            preconditionFailure("\(venue.venue) has no sample")
        }
        return sample
    }
}
