import ArgumentParser
import ForeignLedgers
import Instruments
package import LedgerFiles
package import Portfolio

extension LotMethod: ExpressibleByArgument {}
extension LotScope: ExpressibleByArgument {}
extension LedgerFormat: ExpressibleByArgument {}
extension LongTerm: ExpressibleByArgument {}

/// Which ledger, read how.
struct LedgerOptions: ParsableArguments {
    @OptionGroup var gateway: GatewayOptions

    @Argument(help: "The name of a portfolio; or give --ledger.")
    var name: String?

    @Option(help: "A ledger: our CSV, or JSON when the name ends in .json.")
    var ledger: String?

    @Option(
        help:
            "Which lots a disposal takes: fifo, lifo, hifo, lofo, average or specific. Default: the portfolio's, or fifo."
    )
    var method: LotMethod?

    @Option(help: "From where it may take them: universal or wallet. Default: the portfolio's, or universal.")
    var scope: LotScope?

    @Option(
        name: .customLong("switch"),
        help:
            "Another method from a day on, and another scope if one is named: 2025-01-01=lifo/wallet. May be given again."
    )
    var switches: [String] = []

    @Option(
        help:
            "Prices: CSV with the header time,asset,currency,price; an instrument is an asset named kraken:BTC/USD. Default for a portfolio: the index prices of the moment, else daily closes."
    )
    var prices: String?

    @Option(
        name: .customLong("as-of"),
        help: "The last UTC day that counts, such as 2024-12-31. Default: all but what is still to come.")
    var asOf: String?

    @Option(help: "The currency of costs and gains. Default: the portfolio's, or USD.")
    var base: String?

    @Option(
        name: .customLong("long-term-days"),
        help: "Gains of what was held more days than this are long-term: 0 to 73000, or never.")
    var longTerm = LongTerm.standard

    @Option(
        name: .customLong("as-recorded"),
        help: "The portfolio as it was recorded at an instant, such as 2024-12-31T12:00:00Z.")
    var asRecorded: String?

    func validate() throws {
        guard (name == nil) != (ledger == nil) else {
            throw ValidationError("give the name of a portfolio or --ledger FILE, one of them")
        }
        guard asRecorded == nil || name != nil else {
            throw ValidationError("--as-recorded needs the name of a portfolio")
        }
    }

    /// Whether prices are those that are stored.
    private var hasStoredPrices: Bool { name != nil && prices == nil }

    /// Whether the portfolio is asked for as it is, by the prices and in the currency that it has.
    private var isOfNow: Bool {
        name != nil && prices == nil && asOf == nil && base == nil && asRecorded == nil
    }

    /// Reads the files, or asks the gateway, also for what is compared with unless prices are of a file.
    ///
    /// - Throws: ``CommandFailure`` naming file, line and column.
    func load(benchmark: String? = nil) async throws -> LoadedLedger {
        try await load([("benchmark", hasStoredPrices ? benchmark : nil)]).loaded
    }

    /// The same with the days whose values were stored at the time; none unless the portfolio is asked for as
    /// it is.
    func loadWithDays() async throws -> (loaded: LoadedLedger, days: [DailyHistory.Day]) {
        try await load([("days", isOfNow ? "true" : nil)])
    }

    private func load(
        _ more: [(String, String?)]
    ) async throws -> (loaded: LoadedLedger, days: [DailyHistory.Day]) {
        let base = try self.base.map { try Self.currency($0) }
        let end = try asOf.map { try Self.lastInstant(of: $0, "--as-of") }
        let book = try self.prices.map { try Self.prices($0) }
        guard let name else {
            let base = base ?? Asset(rawValue: "USD")
            let imported = try Self.import(ledger ?? "", base)
            return (try load(imported, try policy([]), base, book ?? PriceHistory(), end), [])
        }
        let moment = try asRecorded.map { try Self.instant($0, "--as-recorded") }
        let query = [
            ("as_recorded", moment?.plain), ("base", base?.rawValue), ("prices", book == nil ? "true" : nil),
            ("live", isOfNow ? "true" : nil),
        ]
        let known = try await gateway.client().ledger(name, query + more)
        var prices = book ?? known.prices
        let sources = prices.take(known.live, in: known.base)
        var loaded = try load(known.imported, try policy(known.settings), known.base, prices, end)
        loaded.areExchanges = known.areExchanges
        loaded.sources = book == nil ? sources : nil
        loaded.benchmark = known.benchmark
        return (loaded, known.days)
    }

    private func load(
        _ imported: ImportedLedger, _ policy: LotPolicy, _ base: Asset, _ prices: PriceHistory,
        _ end: Timestamp?
    ) throws -> LoadedLedger {
        let source = ledger ?? name ?? ""
        let ledger = try Self.located(source) { () throws(FileFault) in try imported.ledger() }
        // What is stored was compared when it came.
        if name == nil, let fault = ledger.excessiveFees(in: base, prices: prices).first {
            throw CommandFailure(.failed, "\(source): \(imported.fault(of: fault))")
        }
        let end = end ?? ledger.end(at: .now)
        do {
            let report = try LotReport(ledger, policy, base: base, prices: prices, until: end)
            return LoadedLedger(
                imported: imported, report: report, policy: policy, prices: prices, end: end)
        } catch {
            throw CommandFailure(.failed, "\(source): \(imported.fault(of: error))")
        }
    }

    /// What the options say, else what is stored.
    private func policy(_ settings: [LotPolicy.Change]) throws -> LotPolicy {
        var policy = LotPolicy(settings: settings)
        if method != nil || scope != nil || !switches.isEmpty {
            policy = LotPolicy(
                method ?? .fifo, scope ?? .universal,
                then: try Self.changes(switches, "--switch", after: scope ?? .universal))
        }
        policy.longTerm = longTerm
        return policy
    }

    static func currency(_ text: String) throws -> Asset {
        let base = Asset(rawValue: text)
        guard base.isCurrency else {
            throw CommandFailure(
                .usage, "--base is \"\(text)\"; it must be a currency such as USD or EUR")
        }
        return base
    }

    static func instant(_ text: String, _ option: String) throws -> Timestamp {
        guard let time = Timestamp(iso8601: text) else {
            throw CommandFailure(
                .usage, "\(option) is \"\(text)\"; it must be an instant such as 2024-12-31T12:00:00Z")
        }
        return time
    }

    static func `import`(_ path: String, _ base: Asset) throws -> ImportedLedger {
        try located(path) { () throws(FileFault) in
            var options = ImportOptions()
            options.base = base
            let format = path.hasSuffix(".json") ? LedgerFormat.json : .csv
            return try format.read(try FileBytes.read(path), options)
        }
    }

    static func prices(_ path: String) throws -> PriceHistory {
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

    /// Settings in order of their days; one that names no scope keeps that of the one before.
    static func changes(
        _ texts: [String], _ option: String, after first: LotScope
    ) throws -> [LotPolicy.Change] {
        var scope = first
        return try texts.map { try change($0, option) }.sorted { $0.from < $1.from }.map { change in
            scope = change.scope ?? scope
            return LotPolicy.Change(from: change.from, method: change.method, scope: scope)
        }
    }

    /// One setting as it is written; the beginning's has no day.
    private static func change(
        _ text: String, _ option: String
    ) throws -> (from: Timestamp, method: LotMethod, scope: LotScope?) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        let words = (parts.last ?? "").split(separator: "/").map(String.init)
        let scope = words.count == 2 ? LotScope(rawValue: words[1]) : nil
        guard let first = words.first, let method = LotMethod(rawValue: first),
            words.count == 1 || scope != nil, parts.count == 2 || option != "--switch"
        else {
            throw CommandFailure(
                .usage, "\(option) is \"\(text)\"; write a day and a method: 2025-01-01=lifo/wallet")
        }
        let from = parts.count == 2 ? try day(parts[0], option) : Timestamp(nanoseconds: .min)
        return (from, method, scope)
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
