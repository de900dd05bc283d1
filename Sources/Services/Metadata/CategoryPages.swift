package import MarketStore
import Venues

/// CoinGecko's list of categories, without I/O: what to ask and what an answer says.
///
/// Source: CoinGecko API documentation, "Coins Categories List", read 2026-11: `/coins/categories/list` gives
/// `category_id` and `name` of every category; `/coins/markets` takes the id as `category`.
package enum CategoryPages {
    /// More categories than this are left out; the provider has some hundreds.
    package static let limit = 2_000

    /// Where the list is.
    ///
    /// - Parameter root: The address without a path.
    /// - Returns: What to GET.
    package static func list(root: String = MarketsPage.publicAddress) -> String {
        "\(root)/api/v3/coins/categories/list"
    }

    /// Reads an answer.
    ///
    /// - Throws: ``MetadataError/malformed`` unless it is a list of objects with `category_id` and `name`.
    /// - Returns: In the order of the answer, each id and each name once.
    package static func parse(_ body: [UInt8]) throws(MetadataError) -> [CategoryRow] {
        do {
            return try body.withUnsafeBytes { bytes in
                guard var scanner = JSONScanner(bytes) else { throw ScanError.malformed }
                var rows: [CategoryRow] = []
                var taken: Set<String> = []
                try scanner.array { scanner throws(ScanError) in
                    let row = try readCategory(&scanner)
                    guard rows.count < limit, isPlain(row.id), !row.name.isEmpty else { return }
                    // Both are keys; an id may well be another's name.
                    guard taken.insert("id \(row.id)").inserted else { return }
                    if taken.insert("name \(row.name)").inserted { rows.append(row) }
                }
                try scanner.expectEnd()
                return rows
            }
        } catch {
            throw .malformed
        }
    }

    /// Whether a key stands in an address as it is; the provider's are lower-case words joined by hyphens.
    private static func isPlain(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= 128
            && id.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D
                    || byte == 0x5F
            }
    }

    private static func readCategory(_ scanner: inout JSONScanner) throws(ScanError) -> CategoryRow {
        var id: String?
        var name: String?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "category_id") {
                id = scanner.string(try scanner.text())
            } else if scanner.equals(key, "name") {
                name = scanner.string(try scanner.text())
            } else {
                try scanner.skip()
            }
        }
        guard let id, let name else { throw .malformed }
        return CategoryRow(id: id, name: name)
    }
}
