package import Instruments
package import MarketData

// What a simulator needs besides the book to write the venue's own image of it.

extension KrakenSession {
    /// Places of the price and the size as a level was sent, which the checksum is made of.
    package func places(
        of price: Price, _ side: BookSide, in instrument: InstrumentIndex
    ) -> (price: Int, size: Int) {
        let tracker = core.trackers[instrument.offset]
        let irregular = extras[instrument.offset].checksum.irregular[Int(side.rawValue)][price.rawValue]
        guard let irregular else { return (tracker.book.priceScale.places, tracker.book.sizeScale.places) }
        return (Int(irregular.price), Int(irregular.size))
    }

    /// The checksum of a book as it is now.
    package func checksum(of instrument: InstrumentIndex) -> UInt32 {
        var checksum = extras[instrument.offset].checksum
        return checksum.value(of: core.trackers[instrument.offset].book)
    }
}
