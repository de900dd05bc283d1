import Instruments
import JSON
import MarketState
import Recordings

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

    /// Every candle as a line of JSON.
    func writeJSON(to output: StandardOutput) throws {
        var line = JSONWriter()
        try forEach { subject, start, sums in
            line.removeAll()
            line.beginObject()
            line.key("venue")
            line.string(subject.venue)
            line.key("symbol")
            line.string(subject.symbol)
            line.key("interval")
            line.string(interval.rawValue)
            line.key("start")
            line.string(start.iso8601(fractionDigits: 0))
            for (name, value) in CandleReport.numbers(sums) {
                line.key(name)
                line.string(value)
            }
            line.key("trades")
            line.integer(sums.count)
            line.endObject()
            line.endLine()
            try output.write(line.bytes)
        }
    }

    /// Every candle as a row for a person.
    func lines(columns: Int) -> [StyledLine] {
        var tables: [(title: String, table: TextTable)] = []
        forEach { subject, start, sums in
            if tables.last?.title != subject.title {
                tables.append((subject.title, CandleReport.emptyTable))
            }
            let texts = CandleReport.numbers(sums).map { TextTable.Cell($0.value) }
            let time = TextTable.Cell(start.iso8601(fractionDigits: 0))
            tables[tables.count - 1].table.append([time] + texts + [TextTable.Cell(String(sums.count))])
        }
        if tables.isEmpty { return [StyledLine("no trades", .faint)] }
        return tables.flatMap { title, table in
            let heading = [title, interval.rawValue].filter { !$0.isEmpty }.joined(separator: "  ")
            return [StyledLine(heading, .strong)] + table.lines(columns: columns)
        }
    }

    private static var emptyTable: TextTable {
        TextTable([
            ("start (UTC)", .left), ("open", .right), ("high", .right), ("low", .right), ("close", .right),
            ("volume", .right), ("quote volume", .right), ("trades", .right),
        ])
    }

    private static func numbers(_ sums: CandleSums<Int128>) -> [(name: String, value: String)] {
        [
            ("open", sums.decimal(price: sums.open)), ("high", sums.decimal(price: sums.high)),
            ("low", sums.decimal(price: sums.low)), ("close", sums.decimal(price: sums.close)),
            ("volume", sums.decimal(size: sums.volume)), ("quote_volume", sums.notionalValue),
        ].map { ($0.0, $0.1.normalized.description) }
    }
}
