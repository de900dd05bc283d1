import Instruments
import MarketData
import Support
import Testing

@testable import Venues

@Suite("Kraken's checksum, kept from message to message")
struct KrakenChecksumTests {
    private struct Sent {
        var price: String
        var size: String
    }

    @Test("is that of the texts as they were sent, whatever changed in between")
    func keptFromMessageToMessage() {
        property { rng in
            let scales = (price: try #require(Scale(2)), size: try #require(Scale(3)))
            var book = Book(priceScale: scales.price, sizeScale: scales.size)
            var checksum = KrakenChecksum()
            var sent: [BookSide: [Int64: Sent]] = [.bid: [:], .ask: [:]]
            let isMixed = rng.chance(50)
            for _ in 0..<rng.int(1...120) {
                // A place less than the scales have makes another text of the same number.
                let isShort = isMixed && rng.chance(30)
                let factor: Int64 = isShort ? 10 : 1
                let side = rng.pick([BookSide.bid, .ask])
                let base = Int64(rng.int(1...40))
                let size = rng.chance(30) ? 0 : Int64(rng.int(1...9_999))
                let change = BookLevelChange(
                    side: side, price: Price(base * factor * (isShort ? 1 : 10)),
                    size: Quantity(size * factor))
                book.apply(change)
                checksum.note(
                    change, pricePlaces: isShort ? 1 : 2, sizePlaces: isShort ? 2 : 3, scales: scales)
                let text = Sent(price: "\(isShort ? base : base * 10)", size: "\(size)")
                sent[side]?[change.price.rawValue] = size == 0 ? nil : text
                if rng.chance(5) {
                    checksum.removeAll()
                    book.clear()
                    sent = [.bid: [:], .ask: [:]]
                }
                guard rng.chance(60) else { continue }
                let expected = naive(book, sent)
                let found = checksum.value(of: book)
                try #require(found == expected)
            }
        }
    }

    private func naive(_ book: Book, _ sent: [BookSide: [Int64: Sent]]) -> UInt32 {
        var text = ""
        for (side, ladder) in [(BookSide.ask, book.asks), (.bid, book.bids)] {
            for level in ladder.top(10) {
                let row = sent[side]?[level.price.rawValue]
                text += (row?.price ?? "?") + (row?.size ?? "?")
            }
        }
        return Array(text.utf8).withUnsafeBytes(CRC32.checksum)
    }
}
