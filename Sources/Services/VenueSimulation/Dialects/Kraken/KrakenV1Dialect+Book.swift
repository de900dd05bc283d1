import Instruments
import JSON
import MarketData
import MarketState
import Venues

extension KrakenV1Dialect {
    func image(of book: ReferenceBook, depth: Int, channelID: Int64, at time: Timestamp) -> [UInt8] {
        let sides = book.top(depth == 0 ? .max : depth)
        return JSONWriter.rows { writer in
            writer.integer(max(channelID, 0))
            writer.object { writer in
                write("as", .ask, sides.asks, book, at: time, to: &writer)
                write("bs", .bid, sides.bids, book, at: time, to: &writer)
            }
            writer.string("book-\(depth)")
            writer.string(book.symbol)
        }
    }

    /// Each side has a dictionary of its own, and the checksum is in the last.
    func update(
        of book: ReferenceBook, _ changes: [ViewChange], depth: Int, channelID: Int64, at time: Timestamp
    ) -> [[UInt8]] {
        let asks = KrakenV2Dialect.levels(changes, .ask)
        let bids = KrakenV2Dialect.levels(changes, .bid)
        guard !asks.isEmpty || !bids.isEmpty else { return [] }
        let checksum = (book.session as? KrakenSession)?.checksum(of: book.index) ?? 0
        let message = JSONWriter.rows { writer in
            writer.integer(max(channelID, 0))
            if !asks.isEmpty {
                writer.object { writer in
                    write("a", .ask, asks, book, at: time, to: &writer)
                    if bids.isEmpty { writer.text("c", String(checksum)) }
                }
            }
            if !bids.isEmpty {
                writer.object { writer in
                    write("b", .bid, bids, book, at: time, to: &writer)
                    writer.text("c", String(checksum))
                }
            }
            writer.string("book-\(depth)")
            writer.string(book.symbol)
        }
        return [message]
    }

    private func write(
        _ key: String, _ side: BookSide, _ levels: [BookLevel], _ book: ReferenceBook, at time: Timestamp,
        to writer: inout JSONWriter
    ) {
        writer.array(key) { writer in
            for level in levels {
                let places = KrakenPlaces(book, side, level)
                writer.array { writer in
                    writer.string(places.price.description)
                    writer.string(places.size.description)
                    writer.decimal(time.nanoseconds / 1_000, Scale(6) ?? .zero)
                }
            }
        }
    }

    func recordedDepth(in message: UnsafeRawBufferPointer, isImage: Bool) -> RecordedDepth {
        KrakenDialects.depth(in: message, isImage: isImage)
    }

    func depth(of recorded: RecordedDepth) -> Int { KrakenDialects.depth(of: recorded) }

    // MARK: - REST

    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        KrakenREST.question(address, symbols: symbols)
    }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        KrakenREST.book(book, limit: limit, at: time)
    }

    func restTrades(_ frames: some Sequence<[UInt8]>, _ query: TradeQuery) -> [UInt8] {
        let trades = frames.flatMap { frame -> [KrakenTrade] in
            // `[channelID, [[price, volume, time, side, type, misc],…], "trade", pair]`
            let parts = JSONValue(message: frame)?.elements ?? []
            guard parts.count == 4, parts[3].text == query.symbol else { return [] }
            return parts[1].elements.compactMap { row in
                let fields = row.elements
                guard fields.count >= 5, let price = fields[0].text, let size = fields[1].text,
                    let seconds = fields[2].text, let time = KrakenV1Dialect.time(seconds)
                else { return nil }
                return KrakenTrade(
                    price: price, size: size, time: time, isBuy: fields[3].text == "b",
                    isMarket: fields[4].text == "m")
            }
        }
        return KrakenREST.trades(trades, query)
    }

    /// Seconds with a fraction.
    static func time(_ seconds: String) -> Timestamp? {
        guard let number = try? DecimalNumber(parsing: seconds), let nano = Scale(9),
            let exact = try? number.rescaled(to: nano)
        else { return nil }
        return Timestamp(nanoseconds: exact.units)
    }

    func restCandles(
        _ candles: [Candle], recorded: [Timestamp: RecordedCandle], _ query: CandleQuery
    ) -> [UInt8] {
        KrakenREST.candles(candles, query)
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        KrakenREST.instrumentList(instruments)
    }
    func restTime(at time: Timestamp) -> RESTAnswer { KrakenREST.time(time) }
    func unavailable() -> RESTAnswer { KrakenREST.unavailable() }
    func notFound() -> RESTAnswer { KrakenREST.notFound() }
}
