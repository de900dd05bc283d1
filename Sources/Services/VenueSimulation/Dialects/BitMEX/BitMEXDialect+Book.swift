import Instruments
import JSON
import MarketData
import Venues

extension BitMEXDialect {
    func recordedDepth(in message: UnsafeRawBufferPointer, isImage: Bool) -> RecordedDepth {
        let isGranted = isImage && JSONValue(message: message)?["table"]?.text == table(25)
        return isGranted ? RecordedDepth(granted: 25) : RecordedDepth()
    }

    func image(of book: ReferenceBook, depth: Int, channelID: Int64, at time: Timestamp) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("table", table(depth))
            writer.text("action", "partial")
            writer.texts("keys", ["symbol", "id", "side"])
            writer.object("types") { writer in
                writer.text("symbol", "symbol")
                writer.text("id", "long")
                writer.text("side", "symbol")
                writer.text("size", "long")
                writer.text("price", "float")
            }
            writer.object("foreignKeys") { writer in
                writer.text("symbol", "instrument")
                writer.text("side", "side")
            }
            writer.object("attributes") { writer in
                writer.text("symbol", "parted")
                writer.text("id", "sorted")
            }
            writer.object("filter") { $0.text("symbol", book.symbol) }
            writer.array("data") { writer in
                let ids = LevelIDs(book, isView: depth != self.depth)
                writeRows(of: book, ids, limit: depth, at: time, to: &writer)
            }
        }
    }

    func update(
        of book: ReferenceBook, _ changes: [ViewChange], depth: Int, channelID: Int64, at time: Timestamp
    ) -> [[UInt8]] {
        let ids = LevelIDs(book, isView: true)
        let parts: [(String, [ViewChange])] = [
            ("delete", changes.filter { $0.kind == .removed || $0.kind == .pushedOut }),
            ("update", changes.filter { $0.kind == .resized }),
            ("insert", changes.filter { $0.kind == .added }),
        ]
        return parts.compactMap { action, changes in
            guard !changes.isEmpty else { return nil }
            return JSONWriter.message { writer in
                writer.text("table", table(depth))
                writer.text("action", action)
                writer.array("data") { writer in
                    for change in changes {
                        writeRow(
                            change.side, change.level, ids, book, hasSize: action != "delete", at: time,
                            to: &writer)
                    }
                }
            }
        }
    }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        JSONWriter.rows { writer in
            writeRows(of: book, LevelIDs(book, isView: false), limit: limit, at: time, to: &writer)
        }
    }

    /// Rows from the highest price to the lowest, as the venue sorts them.
    private func writeRows(
        of book: ReferenceBook, _ ids: LevelIDs, limit: Int, at time: Timestamp, to writer: inout JSONWriter
    ) {
        let sides = book.top(limit == 0 ? .max : limit)
        for level in sides.asks.reversed() {
            writeRow(.ask, level, ids, book, hasSize: true, at: time, to: &writer)
        }
        for level in sides.bids { writeRow(.bid, level, ids, book, hasSize: true, at: time, to: &writer) }
    }

    private func writeRow(
        _ side: BookSide, _ level: BookLevel, _ ids: LevelIDs, _ book: ReferenceBook, hasSize: Bool,
        at time: Timestamp, to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.text("symbol", book.symbol)
            writer.pair("id", ids.id(side, level.price))
            writer.text("side", side == .bid ? "Buy" : "Sell")
            if hasSize { writer.shortest("size", level.size.rawValue, book.book.sizeScale) }
            writer.shortest("price", level.price.rawValue, book.book.priceScale)
            writer.text("timestamp", time.iso8601(fractionDigits: 3))
        }
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

    init(_ book: ReferenceBook, isView: Bool) {
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
