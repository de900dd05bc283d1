import Instruments
package import MarketStore
import Venues

/// CoinGecko's list of coins by market value, without I/O: what to ask and what an answer says.
///
/// Source: CoinGecko, "Public API v3, /coins/markets", read 2026-11: at most 250 coins a page. Without a key
/// some 10 to 30 requests a minute are allowed; Bitpal makes 10 at most.
package enum MarketsPage {
    /// Coins of one page.
    package static let size = 250
    /// Nanoseconds from one request to the next.
    package static let interval: Int64 = 6_000_000_000
    package static let publicAddress = "https://api.coingecko.com"
    /// The longest answer that is read, in bytes: some 1 kB for each coin.
    package static let maximumBytes = 2 << 20

    /// Where a page is.
    ///
    /// - Parameters:
    ///   - number: From 1.
    ///   - category: The key of a category, whose coins alone are wanted; `nil` for all. Of the list, where
    ///     it needs no escaping.
    ///   - root: The address without a path.
    /// - Returns: What to GET.
    package static func url(
        _ number: Int, category: String? = nil, root: String = publicAddress
    ) -> String {
        let only = category.map { "&category=\($0)" } ?? ""
        return "\(root)/api/v3/coins/markets?vs_currency=usd\(only)&order=market_cap_desc&per_page=\(size)"
            + "&page=\(number)"
    }

    /// Reads an answer.
    ///
    /// Codes are in upper case, as venues have them. An answer does not say a coin's categories.
    ///
    /// - Throws: ``MetadataError/malformed`` unless it is a list of objects with `id`, `symbol` and `name`.
    /// - Returns: In the order of the answer, coins without a code or a name left out.
    package static func parse(_ body: [UInt8]) throws(MetadataError) -> [AssetRow] {
        do {
            return try body.withUnsafeBytes { bytes in
                guard var scanner = JSONScanner(bytes) else { throw ScanError.malformed }
                var rows: [AssetRow] = []
                try scanner.array { scanner throws(ScanError) in
                    if let row = try readCoin(&scanner) { rows.append(row) }
                }
                try scanner.expectEnd()
                return rows
            }
        } catch {
            throw .malformed
        }
    }

    private static func readCoin(_ scanner: inout JSONScanner) throws(ScanError) -> AssetRow? {
        var texts: [String?] = [nil, nil, nil]
        var rank: Int64?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "id") {
                texts[0] = scanner.string(try scanner.text())
            } else if scanner.equals(key, "symbol") {
                texts[1] = scanner.string(try scanner.text())
            } else if scanner.equals(key, "name") {
                texts[2] = scanner.string(try scanner.text())
            } else if scanner.equals(key, "market_cap_rank") {
                rank = try scanner.takeNull() ? nil : try scanner.integer()
            } else {
                try scanner.skip()
            }
        }
        guard let id = texts[0], let symbol = texts[1], let name = texts[2] else { throw .malformed }
        guard !id.isEmpty, !symbol.isEmpty, !name.isEmpty else { return nil }
        return AssetRow(
            asset: Asset(rawValue: symbol.uppercased()), name: name, providerID: id, categories: [],
            rank: rank.flatMap { $0 > 0 ? Int32(exactly: $0) : nil })
    }

    /// One row for each code: of several coins with one code the one with the best rank, then the first.
    ///
    /// Small coins borrow the codes of great ones.
    package static func merge(_ rows: [AssetRow]) -> [AssetRow] {
        var best: [Asset: Int] = [:]
        for (place, row) in rows.enumerated() {
            guard let other = best[row.asset] else {
                best[row.asset] = place
                continue
            }
            if (row.rank ?? .max) < (rows[other].rank ?? .max) { best[row.asset] = place }
        }
        return best.values.sorted().map { rows[$0] }
    }
}
