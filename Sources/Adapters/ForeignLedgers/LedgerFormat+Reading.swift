package import LedgerFiles

extension LedgerFormat {
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
