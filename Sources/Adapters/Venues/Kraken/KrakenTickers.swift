import Instruments
import MarketData

/// Kraken's tickers of all markets.
///
/// They are named as its list of pairs names them, as `XXBTZUSD`: that list says which instrument each is.
/// `o` is the price at midnight, not 24 hours ago, so that none is taken.
///
/// Source: Kraken, "Spot REST API, Get Ticker Information" (all pairs without the parameter `pair`; of two
/// numbers the second is of 24 hours) and "Get Tradable Asset Pairs"; about a request a second is allowed;
/// read 2026-11.
enum KrakenTickers {
    static func route(_ configuration: VenueConfiguration) -> TickerRoute {
        let isV1 = configuration.krakenInterface == .v1
        return TickerRoute(
            pages: [TickerPage(url: configuration.restURL + "/0/public/Ticker", read: read)],
            period: 10_000_000_000,
            names: TickerNames(
                url: configuration.restURL + "/0/public/AssetPairs",
                read: { (scanner: inout JSONScanner) throws(ScanError) in
                    try readNames(&scanner, isV1: isV1)
                }))
    }

    /// Reads `{"error":[],"result":{"XXBTZUSD":{"a":["30300.1","1","1.000"],"b":[…],"c":["30303.2","0.1"],
    /// "v":["today","24 h"],"l":[…],"h":[…],…},…}}`.
    private static func read(
        _ scanner: inout JSONScanner, _ rows: inout TickerRows
    ) throws(ScanError) {
        try scanner.result { scanner, name throws(ScanError) in
            try scanner.tickerRow(into: &rows) { scanner throws(ScanError) in
                try readRow(&scanner, name)
            }
        }
    }

    private static func readRow(
        _ scanner: inout JSONScanner, _ name: JSONText
    ) throws(ScanError) -> MarketTicker? {
        var draft = TickerDraft()
        draft.symbol = scanner.string(name)
        try scanner.object { scanner, key throws(ScanError) in
            switch scanner.single(key) {
            case 0x61: try draft.take(.ask, at: 0, &scanner)
            case 0x62: try draft.take(.bid, at: 0, &scanner)
            case 0x63: try draft.take(.last, at: 0, &scanner)  // c
            case 0x76: try draft.take(.baseVolume, at: 1, &scanner)  // v
            case 0x6C: try draft.take(.low, at: 1, &scanner)  // l
            case 0x68: try draft.take(.high, at: 1, &scanner)
            default: try scanner.skip()
            }
        }
        return try draft.ticker()
    }

    private static func readNames(
        _ scanner: inout JSONScanner, isV1: Bool
    ) throws(ScanError) -> [String: String] {
        var names: [String: String] = [:]
        try scanner.result { scanner, key throws(ScanError) in
            let pair = scanner.string(key)
            var name: String?
            try scanner.object { scanner, key throws(ScanError) in
                guard scanner.equals(key, "wsname") else { return try scanner.skip() }
                name = scanner.string(try scanner.text())
            }
            if let pair, let name, let assets = KrakenText.pair(name, isV1: isV1) {
                names[pair] = "\(assets.base)/\(assets.quote)"
            }
        }
        return names
    }
}

extension TickerDraft {
    /// Reads one place of an array.
    fileprivate mutating func take(
        _ field: TickerField, at place: Int, _ scanner: inout JSONScanner
    ) throws(ScanError) {
        var at = 0
        try scanner.array { scanner throws(ScanError) in
            if at == place { try take(field, &scanner) } else { try scanner.skip() }
            at += 1
        }
        guard at > place else { throw .malformed }
    }
}
