import Instruments
import Venues

/// CoinDesk Data, with a key only.
///
/// Source: CoinDesk Data API documentation, "Index & Reference Rates, Latest Tick", read 2026-11: ticks of
/// the index `cadli` under `Data` by instrument; the reason of a refusal is under `Err`. There has been no
/// free plan since 2026-05-21.
enum CoinDesk {
    static let description = ProviderDescription(
        venue: Venue(rawValue: "coindesk"), address: "https://data-api.coindesk.com",
        key: .required(header: "x-api-key", prefix: ""), monthly: nil, naming: .codes, batch: 50,
        pageSize: 0, maximumBytes: 2 << 20,
        path: { question in
            guard case .codes(let codes) = question else { return nil }
            let names = ProviderJSON.joined(codes.map { "\($0.rawValue)-USD" })
            return "/index/cc/v1/latest/tick?market=cadli&instruments=\(names)&groups=VALUE,MOVING_24_HOUR"
        },
        reading: { _, body throws(ProviderError) in try ticks(body) })

    /// Reads `/index/cc/v1/latest/tick`.
    static func ticks(_ body: [UInt8]) throws(ProviderError) -> [CoinQuote] {
        var complaint: String?
        let quotes = try ProviderJSON.read(body) { scanner throws(ScanError) in
            var quotes: [CoinQuote]?
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "Data") {
                    quotes = try data(&scanner)
                } else if scanner.equals(key, "Err") {
                    complaint = try message(&scanner)
                } else {
                    try scanner.skip()
                }
            }
            guard let quotes else { throw .malformed }
            return quotes
        }
        // Some instruments may be told beside the refusal of others.
        if quotes.isEmpty, let complaint { throw .refused(complaint) }
        return quotes
    }

    private static func data(_ scanner: inout JSONScanner) throws(ScanError) -> [CoinQuote] {
        var quotes: [CoinQuote] = []
        try scanner.object { scanner, name throws(ScanError) in
            guard let name = scanner.string(name), let base = base(of: name) else {
                return try scanner.skip()
            }
            var quote = CoinQuote(id: name, symbol: base)
            try scanner.object { scanner, key throws(ScanError) in
                try quote.take(coinDesk: key, from: &scanner)
            }
            quotes.append(quote)
        }
        return quotes
    }

    private static func message(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        var text: String?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "message") { text = try scanner.textOrNil() } else { try scanner.skip() }
        }
        return text
    }

    /// The coin of `BTC-USD`; `nil` for another currency.
    static func base(of name: String) -> Asset? {
        guard name.hasSuffix("-USD"), name.count > 4 else { return nil }
        return Asset(rawValue: name.dropLast(4).uppercased())
    }
}

extension CoinQuote {
    /// Takes a field of a tick, of the answer or of the streamer; what is absent stays as it was.
    mutating func take(coinDesk key: JSONText, from scanner: inout JSONScanner) throws(ScanError) {
        switch scanner.string(key) {
        case "VALUE": price = try scanner.positive() ?? price
        case "VALUE_LAST_UPDATE_TS": updated = try scanner.seconds() ?? updated
        case "MOVING_24_HOUR_OPEN": open = try scanner.positive() ?? open
        case "MOVING_24_HOUR_HIGH": high = try scanner.positive() ?? high
        case "MOVING_24_HOUR_LOW": low = try scanner.positive() ?? low
        case "MOVING_24_HOUR_VOLUME": baseVolume = try scanner.positive() ?? baseVolume
        case "MOVING_24_HOUR_QUOTE_VOLUME": quoteVolume = try scanner.positive() ?? quoteVolume
        case "MOVING_24_HOUR_CHANGE_PERCENTAGE": change = try scanner.figure() ?? change
        case "LIFETIME_HIGH": allTimeHigh = try scanner.positive() ?? allTimeHigh
        default: try scanner.skip()
        }
    }
}
