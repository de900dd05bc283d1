import Crypto
import Encodings
import Instruments
import JSON
import MarketData
import Recordings
import Venues

/// Counts what a recording gave, and proves every top of book with a hash.
struct SummaryCount {
    private struct InstrumentCount {
        var updates = 0
        var snapshots = 0
        var gaps = 0
        var tops = SHA256()
    }

    private var trades = 0
    private var tickers = 0
    private var candles = 0
    private var instruments: [InstrumentCount] = []
    private var line: [UInt8] = []

    mutating func add(_ event: MarketEvent) {
        switch event {
        case .book(let book): add(book)
        case .state(let index, let change):
            // Both mean that a message is missing: by its number, or by what a later one refers to.
            guard change.reason == .sequenceGap || change.reason == .unknownLevel else { return }
            reach(index)
            instruments[index.offset].gaps += 1
        case .trade: trades += 1
        case .ticker: tickers += 1
        case .candle: candles += 1
        case .mark, .instrument: break
        }
    }

    private mutating func add(_ event: BookEvent) {
        reach(event.instrument)
        let offset = event.instrument.offset
        instruments[offset].updates += 1
        if event.isSnapshot { instruments[offset].snapshots += 1 }
        guard let bid = event.summary.bid, let ask = event.summary.ask else { return }
        line.removeAll(keepingCapacity: true)
        append(bid, event, ends: 0x3A)
        append(ask, event, ends: 0x0A)
        instruments[offset].tops.update(data: line)
    }

    /// Plain decimals without trailing zeros: the same bytes whatever scale a venue's numbers came at.
    private mutating func append(_ level: BookLevel, _ event: BookEvent, ends end: UInt8) {
        let price = level.price.decimal(event.priceScale).normalized
        let size = level.size.decimal(event.sizeScale).normalized
        DecimalText.append(units: price.units, scale: price.scale, to: &line)
        line.append(0x3A)
        DecimalText.append(units: size.units, scale: size.scale, to: &line)
        line.append(end)
    }

    private mutating func reach(_ index: InstrumentIndex) {
        while instruments.count <= index.offset { instruments.append(InstrumentCount()) }
    }

    // MARK: - Writing

    /// Writes everything as one object; instruments without a book are left out.
    func write(_ replay: RecordingReplay, _ faults: InputFaults, to line: inout JSONWriter) {
        let (session, counters) = (replay.session, replay.counters)
        line.beginObject()
        line.key("counts")
        line.beginObject()
        for (name, count) in [("trades", trades), ("tickers", tickers), ("candles", candles)] {
            line.key(name)
            line.integer(count)
        }
        writePerSymbol("book_updates", \.updates, session.registry, to: &line)
        writePerSymbol("book_snapshots", \.snapshots, session.registry, to: &line)
        line.endObject()
        line.key("checksums")
        line.beginObject()
        line.key("total")
        line.integer(counters.checksums)
        line.key("ok")
        line.integer(counters.checksumsRight)
        line.endObject()
        writePerSymbol("gaps", \.gaps, session.registry, to: &line)
        // A venue that pads its numbers has them written without trailing zeros.
        writeBooks(session, replay.venue.wording(nil).trimsNumbers, to: &line)
        writeInput(replay, faults, to: &line)
        line.endObject()
        line.endLine()
    }

    /// What was read and what was not.
    private func writeInput(_ replay: RecordingReplay, _ faults: InputFaults, to line: inout JSONWriter) {
        line.key("input")
        line.beginObject()
        let counts = [
            ("records", faults.records), ("announced_records", faults.announcedRecords),
            ("unreadable_lines", faults.unreadableLines), ("unreadable_frames", faults.unreadableFrames),
            ("unusable_trades", Int(replay.counters.unusableTrades)),
            ("first_unreadable_line", faults.firstLine), ("cut_at_line", faults.cut?.line),
            ("ignored_answers", replay.ignoredAnswers),
        ]
        for (name, count) in counts {
            line.key(name)
            if let count { line.integer(count) } else { line.null() }
        }
        line.endObject()
    }

    private func writePerSymbol(
        _ name: String, _ count: (InstrumentCount) -> Int, _ registry: InstrumentRegistry,
        to line: inout JSONWriter
    ) {
        line.key(name)
        line.beginObject()
        for index in registry.indices.prefix(instruments.count) where count(instruments[index.offset]) > 0 {
            line.key(registry[index].symbol)
            line.integer(count(instruments[index.offset]))
        }
        line.endObject()
    }

    private func writeBooks(_ session: any VenueSession, _ trims: Bool, to line: inout JSONWriter) {
        line.key("final_book")
        line.beginObject()
        for index in session.registry.indices.prefix(instruments.count) {
            let count = instruments[index.offset]
            guard count.updates > 0, let book = session.book(of: index) else { continue }
            line.key(session.registry[index].symbol)
            line.beginObject()
            line.key("n_bids")
            line.integer(book.bidCount)
            line.key("n_asks")
            line.integer(book.askCount)
            line.key("updates")
            line.integer(count.updates)
            line.key("tob_sha256")
            line.string(Hexadecimal.text(count.tops.finalize()))
            let top = book.top(25)
            writeLevels("bids", top.bids, book, trims, to: &line)
            writeLevels("asks", top.asks, book, trims, to: &line)
            line.endObject()
        }
        line.endObject()
    }

    private func writeLevels(
        _ name: String, _ levels: [BookLevel], _ book: Book, _ trims: Bool, to line: inout JSONWriter
    ) {
        line.key(name)
        line.beginArray()
        for level in levels {
            line.beginArray()
            for number in [level.price.decimal(book.priceScale), level.size.decimal(book.sizeScale)] {
                let shown = trims ? number.normalized : number
                line.decimal(shown.units, shown.scale)
            }
            line.endArray()
        }
        line.endArray()
    }
}
