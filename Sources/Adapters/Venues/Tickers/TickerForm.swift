import Instruments
import MarketData

/// What a field of a row says.
enum TickerField: Sendable {
    case symbol, last, bid, ask, open, high, low, baseVolume, quoteVolume
    /// `last` − `open`, where the venue does not say `open`.
    case change
    /// Percent of `open`.
    case changePercent
    /// The same as a part of one.
    case changeRatio
    /// Milliseconds since 1970, or a text as of ISO 8601.
    case time
    /// The market whose second name this is: such a row is left out.
    case alias
}

/// How a venue writes a row that is an object: which field says what.
struct TickerForm: Sendable {
    let fields: [(name: StaticString, field: TickerField)]
    /// What stands before a symbol to make it the instrument's.
    let prefix: String

    init(
        _ fields: [(name: StaticString, field: TickerField)],
        and more: [(name: StaticString, field: TickerField)] = [], prefix: String = ""
    ) {
        self.fields = fields + more
        self.prefix = prefix
    }

    /// Reads an array of rows.
    func readArray(_ scanner: inout JSONScanner, into rows: inout TickerRows) throws(ScanError) {
        try scanner.tickerRows(into: &rows) { scanner throws(ScanError) in try read(&scanner) }
    }

    /// Reads one row.
    ///
    /// - Returns: `nil` for one of a market where nothing was traded yet, and for a second name.
    /// - Throws: ``ScanError`` for one that is not what the venue documents.
    func read(_ scanner: inout JSONScanner) throws(ScanError) -> MarketTicker? {
        var draft = TickerDraft()
        try scanner.object { scanner, key throws(ScanError) in
            guard let field = fields.first(where: { scanner.equals(key, $0.name) })?.field else {
                return try scanner.skip()
            }
            try draft.take(field, &scanner)
        }
        return try draft.ticker(prefix: prefix)
    }
}
