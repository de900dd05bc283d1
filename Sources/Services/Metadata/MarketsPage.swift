import Instruments
package import MarketStore
import Providers

/// The list of coins by market value, as rows of assets, without I/O.
package enum MarketsPage {
    /// Coins of one page.
    package static let size = CoinGecko.pageSize
    /// Nanoseconds from one request to the next: ten a minute.
    package static let interval: Int64 = 6_000_000_000
    package static let publicAddress = CoinGecko.description.address

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
        let all = CoinGecko.description.request(.list(page: number), at: root)?.url ?? ""
        return all + (category.map { "&category=\($0)" } ?? "")
    }

    /// Reads an answer.
    ///
    /// An answer does not say a coin's categories.
    ///
    /// - Throws: ``MetadataError/malformed`` unless it is a list of objects with `id`, `symbol` and `name`.
    /// - Returns: In the order of the answer, coins without a code or a name left out.
    package static func parse(_ body: [UInt8]) throws(MetadataError) -> [AssetRow] {
        do {
            return try CoinGecko.description.read(body, to: .list(page: 1)).map(AssetRow.init)
        } catch {
            throw .malformed
        }
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

extension AssetRow {
    /// What a provider's list says of a coin.
    init(_ quote: CoinQuote) {
        self.init(
            asset: quote.symbol, name: quote.name, providerID: quote.id, categories: [], rank: quote.rank)
        figures.price = quote.price
        figures.priceChange = quote.change
        figures.volume = quote.quoteVolume
        figures.marketCap = quote.marketCap
        figures.circulatingSupply = quote.circulatingSupply
        figures.totalSupply = quote.totalSupply
        figures.maximumSupply = quote.maximumSupply
        figures.allTimeHigh = quote.allTimeHigh
        figures.allTimeHighTime = quote.allTimeHighTime
    }
}
