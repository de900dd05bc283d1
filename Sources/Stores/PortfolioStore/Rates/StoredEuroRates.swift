import Instruments
public import Portfolio
public import Store

/// A rate, and who said so.
public struct StoredEuroRate: Hashable, Sendable {
    /// The rate.
    public var rate: EuroRate
    /// Such as "ECB".
    public var source: String
}

/// The newest rate of each currency, by currency.
public struct NewestEuroRates: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT DISTINCT ON (currency) currency, day, rate, source FROM rates.euro
        ORDER BY currency, day DESC
        """

    /// Asks for all of them.
    public init() {}

    /// Reads a rate.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredEuroRate {
        let rate = try row.euroRate()
        return StoredEuroRate(rate: rate, source: try row.text())
    }
}

/// All rates of some currencies.
struct EuroRates: Statement {
    static let sql = "SELECT currency, day, rate FROM rates.euro WHERE currency = ANY ($1)"

    let currencies: [Asset]

    func bind(_ parameters: inout Parameters) { parameters.append(currencies.map(\.rawValue)) }

    static func decode(_ row: inout RowReader) throws(StoreError) -> EuroRate { try row.euroRate() }
}

extension RowReader {
    fileprivate mutating func euroRate() throws(StoreError) -> EuroRate {
        let currency = Asset(rawValue: try text())
        return EuroRate(day: try int32(), currency: currency, rate: try amount())
    }
}

/// Stores rates, or puts right what is stored.
struct UpsertEuroRates: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO rates.euro AS old (currency, day, rate, source)
        SELECT currency, day, rate, $4 FROM unnest($1::text[], $2::integer[], $3::numeric[])
            AS new (currency, day, rate)
        ON CONFLICT (currency, day) DO UPDATE SET rate = excluded.rate, source = excluded.source
        WHERE (old.rate, old.source) IS DISTINCT FROM (excluded.rate, excluded.source)
        """

    let rates: ArraySlice<EuroRate>
    let source: String

    func bind(_ parameters: inout Parameters) {
        parameters.append(rates.map(\.currency.rawValue))
        parameters.append(rates.map(\.day))
        parameters.append(rates.map { Numeric($0.rate) })
        parameters.append(source)
    }
}

extension Session {
    /// Stores what a file of rates says; of two rates of one day in it the last one holds.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``.
    public func store(
        _ rates: [EuroRate], from source: String, while isWanted: () -> Bool = { true }
    ) throws(StoreError) {
        var last: [EuroRateKey: EuroRate] = [:]
        for rate in rates { last[EuroRateKey(currency: rate.currency, day: rate.day)] = rate }
        let rows = last.values.sorted { ($0.currency.rawValue, $0.day) < ($1.currency.rawValue, $1.day) }
        for start in stride(from: 0, to: rows.count, by: 2_000) {
            guard isWanted() else { throw .body(CancellationError()) }
            try execute(
                UpsertEuroRates(rates: rows[start..<min(start + 2_000, rows.count)], source: source))
        }
    }
}

private struct EuroRateKey: Hashable {
    var currency: Asset
    var day: Int32
}
