import Instruments
import MarketData
import Shapes

/// The instrument of a row: its venue, and its symbol there.
struct InstrumentFields: WireBody {
    static let shape = BodyShape<InstrumentFields>("InstrumentName") {
        Field("venue", \.id.venue.rawValue, example: .venue)
        Field("symbol", \.id.symbol, "In the venue's spelling.", example: "BTC/USD")
    }

    let id: InstrumentID

    init(_ id: InstrumentID) { self.id = id }
}

extension Schema {
    /// Prices with their sizes, best first.
    static let levels = array(.array(.decimal, 2...2), nil)
}

extension Book {
    /// Price and size of each level.
    func numbers(_ levels: [BookLevel]) -> [[DecimalNumber]] {
        levels.map { [$0.price.decimal(priceScale), $0.size.decimal(sizeScale)] }
    }
}
