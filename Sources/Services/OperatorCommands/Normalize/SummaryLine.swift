import Crypto
import Encodings
import Instruments
import MarketData
import Recordings
import Shapes
import Venues

/// What a recording gave, as one object; instruments without a book are left out.
struct SummaryLine: WireBody {
    static let shape = BodyShape<SummaryLine>("RecordingSummary") {
        Field("counts", { RecordingCounts(summary: $0) })
        Field("checksums", { ChecksumCounts(counters: $0.replay.counters) })
        Field("gaps", { $0.perSymbol(\.gaps) }, "Missing messages, by symbol.")
        Field("final_book", \.books, "By symbol.")
        Field("input", { RecordingInput(summary: $0) }, "What was read and what was not.")
    }

    fileprivate let count: SummaryCount
    fileprivate let replay: RecordingReplay
    fileprivate let faults: InputFaults

    init(_ count: SummaryCount, _ replay: RecordingReplay, _ faults: InputFaults) {
        (self.count, self.replay, self.faults) = (count, replay, faults)
    }

    private var indices: some Sequence<InstrumentIndex> {
        replay.session.registry.indices.prefix(count.instruments.count)
    }

    private func symbol(_ index: InstrumentIndex) -> String { replay.session.registry[index].symbol }

    /// The counts above 0.
    fileprivate func perSymbol(_ number: (SummaryCount.InstrumentCount) -> Int) -> NamedValues<Int> {
        NamedValues(
            indices.compactMap { index in
                let number = number(count.instruments[index.offset])
                return number > 0 ? (symbol(index), number) : nil
            })
    }

    private var books: NamedValues<FinalBook> {
        // A venue that pads its numbers has them written without trailing zeros.
        let trims = replay.venue.wording(nil).trimsNumbers
        return NamedValues(
            indices.compactMap { index in
                let count = count.instruments[index.offset]
                guard count.updates > 0, let book = replay.session.book(of: index) else { return nil }
                return (symbol(index), FinalBook(book: book, count: count, trims: trims))
            })
    }
}

private struct RecordingCounts: WireBody {
    static let shape = BodyShape<RecordingCounts>("RecordingCounts") {
        Field("trades", \.summary.count.trades)
        Field("tickers", \.summary.count.tickers)
        Field("candles", \.summary.count.candles)
        Field("book_updates", { $0.summary.perSymbol(\.updates) }, "By symbol.")
        Field("book_snapshots", { $0.summary.perSymbol(\.snapshots) }, "By symbol.")
    }

    let summary: SummaryLine
}

private struct ChecksumCounts: WireBody {
    static let shape = BodyShape<ChecksumCounts>("ChecksumCounts") {
        Field("total", \.counters.checksums)
        Field("ok", \.counters.checksumsRight)
    }

    let counters: VenueCounters
}

/// A book as it was at the end.
private struct FinalBook: WireBody {
    static let shape = BodyShape<FinalBook>("FinalBook") {
        Field("n_bids", \.book.bidCount)
        Field("n_asks", \.book.askCount)
        Field("updates", \.count.updates)
        Field("tob_sha256", { Hexadecimal.text($0.count.tops.finalize()) }, "Of every best bid and ask.")
        Field("bids", { $0.numbers($0.book.top(25).bids) }, "Price and size of the best 25.", as: .levels)
        Field("asks", { $0.numbers($0.book.top(25).asks) }, "Price and size of the best 25.", as: .levels)
    }

    let book: Book
    let count: SummaryCount.InstrumentCount
    let trims: Bool

    private func numbers(_ levels: [BookLevel]) -> [[DecimalNumber]] {
        let numbers = book.numbers(levels)
        return trims ? numbers.map { $0.map(\.normalized) } : numbers
    }
}

private struct RecordingInput: WireBody {
    static let shape = BodyShape<RecordingInput>("RecordingInput") {
        Field("records", \.summary.faults.records)
        Field("announced_records", \.summary.faults.announcedRecords, "Null where none are announced.")
        Field("unreadable_lines", \.summary.faults.unreadableLines)
        Field("unreadable_frames", \.summary.faults.unreadableFrames)
        Field("unusable_trades", \.summary.replay.counters.unusableTrades)
        Field("first_unreadable_line", \.summary.faults.firstLine, "Null where all can be read.")
        Field("cut_at_line", \.summary.faults.cut?.line, "Null for a file that is whole.")
        Field("ignored_answers", \.summary.replay.ignoredAnswers, "Nobody asked for them.")
    }

    let summary: SummaryLine
}
