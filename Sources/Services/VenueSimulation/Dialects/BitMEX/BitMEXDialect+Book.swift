import Instruments
import MarketData
import Venues

extension BitMEXDialect {
    func recordedDepth(in message: UnsafeRawBufferPointer, isImage: Bool) -> RecordedDepth {
        guard isImage, JSONValue(message)?["table"]?.text == table(25) else { return RecordedDepth() }
        return RecordedDepth(granted: 25)
    }

    func image(of book: TrueBook, depth: Int, channelID: Int64, at time: Timestamp) -> [UInt8] {
        var text = JSONBytes(
            "{\"table\":\"\(table(depth))\",\"action\":\"partial\",\"keys\":[\"symbol\",\"id\",\"side\"],")
        text.raw(
            "\"types\":{\"symbol\":\"symbol\",\"id\":\"long\",\"side\":\"symbol\",\"size\":\"long\",\"price\":\"float\"},"
        )
        text.raw("\"foreignKeys\":{\"symbol\":\"instrument\",\"side\":\"side\"},")
        text.raw("\"attributes\":{\"symbol\":\"parted\",\"id\":\"sorted\"},\"filter\":{\"symbol\":")
        text.string(book.symbol)
        text.raw("},\"data\":")
        appendRows(of: book, LevelIDs(book, isView: depth != self.depth), limit: depth, at: time, to: &text)
        text.raw("}")
        return text.bytes
    }

    func update(
        of book: TrueBook, _ changes: [ViewChange], depth: Int, channelID: Int64, at time: Timestamp
    ) -> [[UInt8]] {
        let ids = LevelIDs(book, isView: true)
        let parts: [(String, [ViewChange])] = [
            ("delete", changes.filter { $0.kind == .removed || $0.kind == .pushedOut }),
            ("update", changes.filter { $0.kind == .resized }),
            ("insert", changes.filter { $0.kind == .added }),
        ]
        return parts.compactMap { action, changes in
            guard !changes.isEmpty else { return nil }
            var text = JSONBytes("{\"table\":\"\(table(depth))\",\"action\":\"\(action)\",\"data\":[")
            for change in changes {
                text.separator()
                appendRow(
                    change.side, change.level, ids, book, hasSize: action != "delete", at: time, to: &text)
            }
            text.raw("]}")
            return text.bytes
        }
    }

    func restBook(_ book: TrueBook, limit: Int, at time: Timestamp) -> [UInt8] {
        var text = JSONBytes()
        appendRows(of: book, LevelIDs(book, isView: false), limit: limit, at: time, to: &text)
        return text.bytes
    }

    /// Rows from the highest price to the lowest, as the venue sorts them.
    private func appendRows(
        of book: TrueBook, _ ids: LevelIDs, limit: Int, at time: Timestamp, to text: inout JSONBytes
    ) {
        let sides = book.top(limit == 0 ? .max : limit)
        text.raw("[")
        for level in sides.asks.reversed() {
            text.separator()
            appendRow(.ask, level, ids, book, hasSize: true, at: time, to: &text)
        }
        for level in sides.bids {
            text.separator()
            appendRow(.bid, level, ids, book, hasSize: true, at: time, to: &text)
        }
        text.raw("]")
    }

    private func appendRow(
        _ side: BookSide, _ level: BookLevel, _ ids: LevelIDs, _ book: TrueBook, hasSize: Bool,
        at time: Timestamp,
        to text: inout JSONBytes
    ) {
        text.raw("{\"symbol\":")
        text.string(book.symbol)
        text.raw(",\"id\":\(ids.id(side, level.price)),\"side\":\"\(side == .bid ? "Buy" : "Sell")\"")
        if hasSize {
            text.raw(",\"size\":")
            text.shortest(level.size.rawValue, book.book.sizeScale)
        }
        text.raw(",\"price\":")
        text.shortest(level.price.rawValue, book.book.priceScale)
        text.raw(",\"timestamp\":\"\(time.iso8601(fractionDigits: 3))\"}")
    }
}

/// The venue's ids of a book's levels.
///
/// A view of the best levels makes its own, since a level that leaves the book has lost the venue's: the
/// price itself, which is unique on a side and the same at every scale.
private struct LevelIDs {
    private var bids: [Price: UInt64] = [:]
    private var asks: [Price: UInt64] = [:]
    private let priceScale: Scale

    init(_ book: TrueBook, isView: Bool) {
        priceScale = book.book.priceScale
        guard !isView, let session = book.session as? BitMEXSession else { return }
        for level in session.levelIDs(of: book.index) {
            if level.side == .bid { bids[level.price] = level.id } else { asks[level.price] = level.id }
        }
    }

    func id(_ side: BookSide, _ price: Price) -> UInt64 {
        if let id = side == .bid ? bids[price] : asks[price] { return id }
        let number = price.decimal(priceScale).normalized
        return number.units.magnitude &* 19 &+ UInt64(number.scale.rawValue)
    }
}
