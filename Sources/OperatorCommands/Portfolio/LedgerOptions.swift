public import ArgumentParser
import Instruments
public import LedgerFiles
public import Portfolio

extension LotMethod: ExpressibleByArgument {}
extension LotScope: ExpressibleByArgument {}
extension LedgerFormat: ExpressibleByArgument {}

/// Which ledger, read how.
struct LedgerOptions: ParsableArguments {
    @Option(help: "A ledger: our CSV, or JSON when the name ends in .json.")
    var ledger: String

    @Option(help: "Which lots a disposal takes: fifo, lifo, hifo, lofo, average or specific.")
    var method = LotMethod.fifo

    @Option(help: "From where it may take them: universal or wallet.")
    var scope = LotScope.universal

    @Option(
        name: .customLong("switch"),
        help: "Another method, and scope, from a day on: 2025-01-01=lifo/wallet. May be given again.")
    var switches: [String] = []

    @Option(help: "Prices: CSV with the header time,asset,currency,price.")
    var prices: String?

    @Option(name: .customLong("as-of"), help: "The last UTC day that counts, such as 2024-12-31.")
    var asOf: String?

    @Option(help: "The currency of costs and gains.")
    var base = "USD"

    /// Reads the files.
    ///
    /// - Throws: ``CommandFailure`` naming file, line and column.
    func load() throws -> LoadedLedger {
        let policy = LotPolicy(method, scope, then: try switches.map(Self.change))
        let end = try asOf.map { try Self.lastInstant(of: $0, "--as-of") }
        let base = Asset(rawValue: self.base)
        guard base.isCurrency else {
            throw CommandFailure(
                .usage, "--base is \"\(self.base)\"; it must be a currency such as USD or EUR")
        }
        let imported = try Self.import(ledger, base)
        let book = try prices.map { try Self.prices($0) } ?? PriceBook()
        let ledger = try Self.located(self.ledger) { () throws(FileFault) in try imported.ledger() }
        do {
            let report = try LotReport(ledger, policy, base: base, prices: book, until: end)
            return LoadedLedger(
                imported: imported, report: report, policy: policy, prices: book, end: end)
        } catch {
            throw CommandFailure(.failed, "\(self.ledger): \(imported.fault(of: error))")
        }
    }

    private static func `import`(_ path: String, _ base: Asset) throws -> ImportedLedger {
        try located(path) { () throws(FileFault) in
            var options = ImportOptions()
            options.base = base
            let format = path.hasSuffix(".json") ? LedgerFormat.json : .csv
            return try format.read(try FileBytes.read(path), options)
        }
    }

    static func prices(_ path: String) throws -> PriceBook {
        try located(path) { () throws(FileFault) in try PriceCSV.read(try FileBytes.read(path)) }
    }

    /// Puts the file's name before what is wrong with it.
    static func located<Value>(_ path: String, _ body: () throws(FileFault) -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw CommandFailure(.failed, "\(path): \(error)")
        }
    }

    private static func change(_ text: String) throws -> LotPolicy.Change {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        let words = parts.count == 2 ? parts[1].split(separator: "/").map(String.init) : []
        guard let first = words.first, let method = LotMethod(rawValue: first), words.count <= 2,
            let scope = words.count == 2 ? LotScope(rawValue: words[1]) : .universal
        else {
            throw CommandFailure(
                .usage, "--switch is \"\(text)\"; write a day and a method: 2025-01-01=lifo/wallet")
        }
        return LotPolicy.Change(from: try day(parts[0], "--switch"), method: method, scope: scope)
    }

    static func day(_ text: String, _ option: String) throws -> Timestamp {
        guard let time = Timestamp(iso8601: "\(text)T00:00:00Z") else {
            throw CommandFailure(.usage, "\(option) is \"\(text)\"; it must be a day such as 2024-12-31")
        }
        return time
    }

    /// The end of a UTC day.
    static func lastInstant(of text: String, _ option: String) throws -> Timestamp {
        try day(text, option).adding(nanoseconds: 86_400_000_000_000 - 1)
    }
}

/// A ledger that was read, and what it comes to.
struct LoadedLedger {
    var imported: ImportedLedger
    var report: LotReport
    var policy: LotPolicy
    var prices: PriceBook
    /// The last instant that counts, when one was given.
    var end: Timestamp?
    /// What the performance is compared with.
    var benchmark: Asset?

    /// The moment of the valuation: the end, else the newest row or price, so that a file says the same
    /// tomorrow.
    var moment: Timestamp {
        end ?? max(report.ledger.transactions.last?.time ?? .zero, prices.lastTime ?? .zero)
    }

    var valuation: Valuation { Valuation(report, prices: prices, at: moment) }

    var history: DailyHistory {
        DailyHistory(report.ledger, base: report.base, prices: prices, until: moment)
    }
}
