package import Instruments
package import MarketData

extension BitMEXSession {
    /// The ids of a book's levels, in no order: what a simulator needs to write the venue's own image of it.
    package func levelIDs(of instrument: InstrumentIndex) -> [(id: UInt64, side: BookSide, price: Price)] {
        tables[instrument.offset].entries
    }
}
