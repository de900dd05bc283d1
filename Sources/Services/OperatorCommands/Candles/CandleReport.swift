import Instruments
import MarketState
import Recordings
import Shapes

/// The candles of everything that a file of trades names.
struct CandleReport {
    /// What a trade belongs to; `nil` for what the file does not say.
    struct Subject: Hashable, Comparable {
        var symbol: String?
        var venue: String?

        static func < (left: Subject, right: Subject) -> Bool {
            if left.symbol != right.symbol { return isBefore(left.symbol, right.symbol) }
            return isBefore(left.venue, right.venue)
        }

        private static func isBefore(_ left: String?, _ right: String?) -> Bool {
            guard let left, let right else { return left == nil && right != nil }
            return left < right
        }

        /// For a person.
        var title: String {
            [venue, symbol].compactMap { $0 }.joined(separator: ":")
        }
    }

    let interval: CandleInterval
    private var indices: [Subject: Int] = [:]
    private var subjects: [(subject: Subject, candles: FileCandles)] = []
    /// Files keep to one subject for long: the texts of the last one save a look-up.
    private var last: (venue: [UInt8], symbol: [UInt8], index: Int)?

    /// What of the file could not be read.
    private(set) var faults: InputFaults

    /// Trades that were left out because their id had been seen.
    var duplicates: Int { subjects.reduce(0) { $0 + $1.candles.duplicates } }

    /// Reads a file to its end.
    ///
    /// - Throws: ``CommandFailure`` or `RecordingError`, naming the file and the line.
    init(path: String, interval: CandleInterval, policy: FaultPolicy = .stop) throws {
        self.interval = interval
        var file = try TradeFile(path: path, policy: policy)
        faults = file.faults
        try file.forEach { trade, fields in try add(trade, fields) }
        faults = file.faults
    }

    private mutating func add(_ trade: CandleTrade<Int128>, _ fields: TradeFields) throws(CandleOverflow) {
        let index = index(venue: fields[.venue], symbol: fields[.symbol])
        let overflow: CandleOverflow? = fields[.id].withUnsafeBytes { id in
            do throws(CandleOverflow) {
                try subjects[index].candles.add(trade, identity: id)
                return nil
            } catch {
                return error
            }
        }
        if let overflow { throw overflow }
    }

    private mutating func index(venue: [UInt8], symbol: [UInt8]) -> Int {
        if let last, last.symbol == symbol, last.venue == venue { return last.index }
        let subject = Subject(
            symbol: symbol.isEmpty ? nil : String(decoding: symbol, as: UTF8.self),
            venue: venue.isEmpty ? nil : String(decoding: venue, as: UTF8.self))
        let index = indices[subject] ?? subjects.count
        if index == subjects.count {
            indices[subject] = index
            subjects.append((subject, FileCandles(interval: interval)))
        }
        last = (venue, symbol, index)
        return index
    }

    /// Calls `body` for every candle, by symbol, venue and start.
    func forEach(_ body: (Subject, Timestamp, CandleSums<Int128>) throws -> Void) rethrows {
        for (subject, candles) in subjects.sorted(by: { $0.subject < $1.subject }) {
            for (start, sums) in candles.candles { try body(subject, start, sums) }
        }
    }

    private func forEachLine(_ body: (FileCandleLine) throws -> Void) rethrows {
        try forEach { try body(FileCandleLine(subject: $0, interval: interval, start: $1, sums: $2)) }
    }

    /// Every candle as a line of JSON.
    func writeJSON(to output: StandardOutput) throws { try forEachLine { try output.writeLine(json: $0) } }

    /// Every candle as a row for a person.
    func lines(columns: Int) -> [StyledLine] {
        var tables: [(title: String, rows: [FileCandleLine])] = []
        forEachLine { line in
            if tables.last?.title != line.subject.title { tables.append((line.subject.title, [])) }
            tables[tables.count - 1].rows.append(line)
        }
        if tables.isEmpty { return [StyledLine("no trades", .faint)] }
        return tables.flatMap { title, rows in
            let heading = [title, interval.rawValue].filter { !$0.isEmpty }.joined(separator: "  ")
            return [StyledLine(heading, .strong)] + FileCandleLine.table(rows).lines(columns: columns)
        }
    }
}

/// A candle that was made of a file of trades.
private struct FileCandleLine: PrintedRow {
    static let row = RowShape<FileCandleLine>("FileCandle", "A candle that was made of a file of trades.") {
        Field("venue", \.subject.venue, "Null where the file does not say it.", example: .venue)
        Field("symbol", \.subject.symbol, "Null where the file does not say it.", example: "BTC/USD")
        Field("interval", \.interval.rawValue, "How long it is.", example: "1m")
        Field("start", { $0.start.iso8601(fractionDigits: 0) }, as: .time)
            .column(as: "start (UTC)")
        Field("open", { $0.price($0.sums.open) }, as: .decimal).column(.right)
        Field("high", { $0.price($0.sums.high) }, as: .decimal).column(.right)
        Field("low", { $0.price($0.sums.low) }, as: .decimal).column(.right)
        Field("close", { $0.price($0.sums.close) }, as: .decimal).column(.right)
        Field("volume", { $0.sums.decimal(size: $0.sums.volume).normalized.description }, as: .decimal)
            .column(.right)
        Field("quote_volume", \.sums.notionalValue.normalized.description, as: .decimal).column(.right)
        Field("trades", \.sums.count).column(.right)
    }

    let subject: CandleReport.Subject
    let interval: CandleInterval
    let start: Timestamp
    let sums: CandleSums<Int128>

    private func price(_ units: Int128) -> String { sums.decimal(price: units).normalized.description }
}
