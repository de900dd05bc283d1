import Instruments

/// What Coinbase says of an instrument.
///
/// Sources, not confirmed: Coinbase Developer Documentation, "List Public Products" (Advanced Trade) and "Get
/// all known trading pairs" (Exchange).
struct CoinbaseDefinition {
    private var symbol: String?
    private var base: String?
    private var quote: String?
    private var status: String?
    private var type: String?
    private var alias: String?
    private var priceStep: DecimalNumber?
    private var quoteStep: DecimalNumber?
    private var lot: DecimalNumber?
    private var contractSize: DecimalNumber?
    private var root: String?
    private var expiry: String?

    /// Reads a product of either interface.
    ///
    /// - Returns: `nil` for one that is no more, and for one that is another's alias: what is asked for by
    ///   such a name, as BTC-USDC, comes by the other's.
    static func read(_ scanner: inout JSONScanner, _ venue: Venue) throws(ScanError) -> Instrument? {
        var product = CoinbaseDefinition()
        try scanner.object { scanner, key throws(ScanError) in
            if try !product.readText(&scanner, key), try !product.readNumber(&scanner, key) {
                try scanner.skip()
            }
        }
        return product.instrument(of: venue)
    }

    private mutating func readText(
        _ scanner: inout JSONScanner, _ key: JSONText
    ) throws(ScanError) -> Bool {
        if scanner.equals(key, "product_id") || scanner.equals(key, "id") {
            symbol = try scanner.word()
        } else if scanner.equals(key, "base_currency_id") || scanner.equals(key, "base_currency") {
            base = try scanner.word()
        } else if scanner.equals(key, "quote_currency_id") || scanner.equals(key, "quote_currency") {
            quote = try scanner.word()
        } else if scanner.equals(key, "status") {
            status = try scanner.word()
        } else if scanner.equals(key, "product_type") {
            type = try scanner.word()
        } else if scanner.equals(key, "alias") {
            alias = try scanner.word()
        } else {
            return false
        }
        return true
    }

    private mutating func readNumber(
        _ scanner: inout JSONScanner, _ key: JSONText
    ) throws(ScanError) -> Bool {
        if scanner.equals(key, "price_increment") {
            priceStep = try scanner.anyDecimal()
        } else if scanner.equals(key, "quote_increment") {
            quoteStep = try scanner.anyDecimal()
        } else if scanner.equals(key, "base_increment") {
            lot = try scanner.anyDecimal()
        } else if scanner.equals(key, "future_product_details"), try scanner.peek() == 0x7B {
            try readContract(&scanner)
        } else {
            return false
        }
        return true
    }

    private mutating func readContract(_ scanner: inout JSONScanner) throws(ScanError) {
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "contract_size") {
                contractSize = try scanner.anyDecimal()
            } else if scanner.equals(key, "contract_root_unit") {
                root = try scanner.word()
            } else if scanner.equals(key, "contract_expiry_type") {
                expiry = try scanner.word()
            } else {
                try scanner.skip()
            }
        }
    }

    private func instrument(of venue: Venue) -> Instrument? {
        guard let symbol, let quote, !quote.isEmpty, status != "delisted", alias?.isEmpty ?? true else {
            return nil
        }
        guard let base = base?.isEmpty ?? true ? root : base, !base.isEmpty else { return nil }
        let tick = (priceStep ?? quoteStep)?.normalized
        let isFuture = type == "FUTURE"
        return Instrument(
            id: InstrumentID(venue: venue, symbol: symbol), base: Asset(rawValue: base),
            quote: Asset(rawValue: quote),
            kind: !isFuture ? .spot : expiry == "PERPETUAL" ? .perpetual : .future,
            priceScale: tick?.scale ?? .zero, sizeScale: lot?.normalized.scale ?? .zero, tickSize: tick,
            lotSize: lot?.normalized, contractMultiplier: isFuture ? contractSize : nil)
    }
}

extension JSONScanner {
    /// A text in quotes as a string; `nil` for anything else.
    mutating func word() throws(ScanError) -> String? {
        guard let text = try textIfAny() else { return nil }
        return string(text)
    }
}
