package import Instruments

/// The files that can be read.
package enum LedgerFormat: String, Sendable, CaseIterable {
    /// Our own table.
    case csv
    /// Our own JSON.
    case json
    /// Any table, with a mapping of its columns.
    case mapped
    /// Coinbase's "transaction history".
    case coinbase
    /// Binance's "transaction history" of all wallets.
    case binance
    /// Kraken's "ledgers".
    case kraken
    /// BitMEX's wallet history.
    case bitmex
    /// Bitstamp's transactions, in both of its forms.
    case bitstamp
    /// CoinTracking's trade list.
    case cointracking
    /// Koinly's transactions and its universal template.
    case koinly

    /// Reads a file of this format.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - options: What the file itself does not say.
    /// - Returns: Rows, lines that were skipped, and what is odd of the others.
    /// - Throws: ``FileFault`` when a line that should be read cannot be. Lines of a kind that the format's
    ///   reader does not take are skipped with their reason, except in our own formats.
    package func read(_ bytes: [UInt8], _ options: ImportOptions = ImportOptions()) throws(FileFault)
        -> ImportedLedger
    {
        var ledger = try rows(bytes, options)
        ledger.remarkOnSentFees()
        return ledger
    }

    private func rows(_ bytes: [UInt8], _ options: ImportOptions) throws(FileFault) -> ImportedLedger {
        switch self {
        case .csv: return try LedgerCSV.read(bytes, base: options.base)
        case .json: return try LedgerJSON.read(bytes, base: options.base)
        case .mapped: return try MappedTable.read(bytes, options)
        case .coinbase: return try CoinbaseFormat.read(bytes, options)
        case .binance: return try BinanceFormat.read(bytes, options)
        case .kraken: return try KrakenFormat.read(bytes, options)
        case .bitmex: return try BitMEXFormat.read(bytes, options)
        case .bitstamp: return try BitstampFormat.read(bytes, options)
        case .cointracking: return try CoinTrackingFormat.read(bytes, options)
        case .koinly: return try KoinlyFormat.read(bytes, options)
        }
    }
}

/// What a file does not say by itself.
package struct ImportOptions: Sendable {
    /// The wallet of rows that name none; the format's own name when `nil`.
    package var wallet: String?
    /// Seconds east of Greenwich of times without a zone; `nil` refuses them where the format allows both.
    package var zone: Int?
    /// The currency of values without one.
    package var base = Asset(rawValue: "USD")
    /// Our column for each of the file's, for ``LedgerFormat/mapped``; several, with commas between them, of
    /// one that serves several, as a currency of price and fee.
    package var columns: [String: String] = [:]
    /// Our kind for each of the file's words, for ``LedgerFormat/mapped``.
    package var kinds: [String: String] = [:]

    /// Nothing said.
    package init() {}

    /// Reads a zone such as `+01:00`, `-0500` or `Z`; `nil` when it is none.
    package static func zone(_ text: String) -> Int? { try? TimeText.offset(text, nil) }
}
