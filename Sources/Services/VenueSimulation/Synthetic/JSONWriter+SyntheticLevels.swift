import Instruments
import JSON
import MarketData

extension JSONWriter {
    /// Writes a member whose value is rows of a price and a size in quotes, and of what a venue adds to them.
    mutating func levels(
        _ name: String, _ levels: some Sequence<BookLevel>, of instrument: SyntheticInstrument,
        _ more: (inout JSONWriter) -> Void = { _ in }
    ) {
        array(name) { writer in
            for level in levels {
                writer.array { writer in
                    writer.decimal(level.price.rawValue, instrument.priceScale)
                    writer.decimal(level.size.rawValue, instrument.sizeScale)
                    more(&writer)
                }
            }
        }
    }
}

extension SyntheticFlow.Step {
    /// The changed levels of a side, those that are gone with size 0.
    func levels(_ side: BookSide) -> [BookLevel] {
        changes.filter { $0.change.side == side }.map {
            BookLevel(price: $0.change.price, size: $0.change.size)
        }
    }
}
