import Instruments
import JSON
import MarketData
import Venues

extension BitfinexDialect {
    /// The rows alone, as its route gives them.
    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] { restBook(book, limit: 0, at: time) }

    func image(of book: ReferenceBook, depth: Int, channelID: Int64, at time: Timestamp) -> [UInt8] {
        JSONWriter.rows { writer in
            writer.integer(channelID)
            writer.raw(image(of: book, at: time))
        }
    }

    /// Rows of a price, a count of orders, which is not known here, and an amount, below zero of an ask.
    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        JSONWriter.rows { writer in
            for (side, sign) in [(BookSide.bid, Int64(1)), (.ask, -1)] {
                for level in book.levels(side, limit) {
                    writer.array { writer in
                        writer.number(level.price.rawValue, book.book.priceScale)
                        writer.integer(1)
                        writer.number(level.size.rawValue * sign, book.book.sizeScale)
                    }
                }
            }
        }
    }

    /// `[chanId, payload…, number]`: the number takes the place of the recorded one.
    func numbered(_ frame: [UInt8], after last: inout Int64) -> [UInt8] {
        guard frame.first == 0x5B, let end = frame.withUnsafeBytes({ Self.payloadEnd($0) }) else {
            return frame
        }
        last += 1
        return Array(frame[..<end]) + Array(",\(last)]".utf8)
    }

    /// Where the payload ends, which is a word with what it is about, or a list.
    private static func payloadEnd(_ frame: UnsafeRawBufferPointer) -> Int? {
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { return nil }
            try scanner.expect(0x5B)
            try scanner.skip()
            try scanner.expect(0x2C)
            var hasMore = false
            if try scanner.peek() == 0x22 {
                let word = try scanner.text()
                hasMore = !scanner.equals(word, "hb")
            } else {
                try scanner.skip()
            }
            if hasMore, try scanner.take(0x2C) { try scanner.skip() }
            return scanner.index
        } catch {
            return nil
        }
    }
}
