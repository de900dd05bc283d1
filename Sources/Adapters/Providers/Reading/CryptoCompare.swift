import Instruments
import Venues

/// CryptoCompare, the older interface of CoinDesk Data, with a key only.
///
/// Source: CryptoCompare API documentation, "Multiple Symbols Full Data" and "Websockets", read 2026-11:
/// numbers under `RAW` by code and currency; what is refused comes with status 200 and `Response` = `Error`.
/// There has been no free plan since 2026-05-21.
enum CryptoCompare {
    static let description = ProviderDescription(
        venue: Venue(rawValue: "cryptocompare"), address: "https://min-api.cryptocompare.com",
        key: .required(header: "authorization", prefix: "Apikey "), monthly: nil, naming: .codes,
        batch: 40, pageSize: 0, maximumBytes: 2 << 20,
        path: { question in
            guard case .codes(let codes) = question else { return nil }
            return "/data/pricemultifull?fsyms=\(ProviderJSON.joined(codes.map(\.rawValue)))&tsyms=USD"
        },
        reading: { _, body throws(ProviderError) in try full(body) })

    /// Reads `/data/pricemultifull`.
    static func full(_ body: [UInt8]) throws(ProviderError) -> [CoinQuote] {
        var complaint: String?
        let quotes = try ProviderJSON.read(body) { scanner throws(ScanError) in
            var quotes: [CoinQuote]?
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "RAW") {
                    quotes = try raw(&scanner)
                } else if scanner.equals(key, "Message") {
                    complaint = try scanner.textOrNil()
                } else {
                    try scanner.skip()
                }
            }
            if quotes == nil, complaint == nil { throw .malformed }
            return quotes
        }
        guard let quotes else { throw .refused(complaint ?? "") }
        return quotes
    }

    private static func raw(_ scanner: inout JSONScanner) throws(ScanError) -> [CoinQuote] {
        var quotes: [CoinQuote] = []
        try scanner.object { scanner, code throws(ScanError) in
            guard let code = scanner.string(code) else { throw .malformed }
            try scanner.object { scanner, currency throws(ScanError) in
                guard scanner.equals(currency, "USD") else { return try scanner.skip() }
                var quote = CoinQuote(id: code, symbol: Asset(rawValue: code.uppercased()))
                try scanner.object { scanner, key throws(ScanError) in
                    try quote.take(cryptoCompare: key, from: &scanner)
                }
                quotes.append(quote)
            }
        }
        return quotes
    }
}

extension CoinQuote {
    /// Takes a field that the answer and the streamer have in common; what is absent stays as it was.
    mutating func take(cryptoCompare key: JSONText, from scanner: inout JSONScanner) throws(ScanError) {
        switch scanner.string(key) {
        case "PRICE": price = try scanner.positive() ?? price
        case "OPEN24HOUR": open = try scanner.positive() ?? open
        case "HIGH24HOUR": high = try scanner.positive() ?? high
        case "LOW24HOUR": low = try scanner.positive() ?? low
        case "VOLUME24HOUR": baseVolume = try scanner.positive() ?? baseVolume
        case "VOLUME24HOURTO": quoteVolume = try scanner.positive() ?? quoteVolume
        case "CHANGEPCT24HOUR": change = try scanner.figure() ?? change
        case "MKTCAP": marketCap = try scanner.positive() ?? marketCap
        case "CIRCULATINGSUPPLY": circulatingSupply = try scanner.positive() ?? circulatingSupply
        case "SUPPLY": totalSupply = try scanner.positive() ?? totalSupply
        case "LASTUPDATE": updated = try scanner.seconds() ?? updated
        default: try scanner.skip()
        }
    }
}
