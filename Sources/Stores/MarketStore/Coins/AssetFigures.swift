package import Instruments
import Store

/// What a provider says of an asset's market, in US dollars: a mean that nobody proved, as old as its list.
package struct AssetFigures: Hashable, Sendable {
    /// Above zero.
    package var price: Amount?
    /// Percent of 24 hours.
    package var priceChange: Amount?
    /// Of 24 hours.
    package var volume: Amount?
    package var marketCap: Amount?
    package var circulatingSupply: Amount?
    package var totalSupply: Amount?
    package var maximumSupply: Amount?
    package var allTimeHigh: Amount?
    package var allTimeHighTime: Timestamp?
    /// When the list first had it; `nil` for what it had from the beginning.
    ///
    /// Only read.
    package var listed: Timestamp?

    /// Nothing is known.
    package init() {}
}

extension AssetFigures {
    static let columns: SQL = """
        price, price_change, volume, market_cap, circulating_supply, total_supply, maximum_supply,
        all_time_high, all_time_high_at, listed_at
        """

    /// Reads ``columns``.
    init(_ row: inout RowReader) throws(StoreError) {
        price = try row.amountOrNil()
        priceChange = try row.amountOrNil()
        volume = try row.amountOrNil()
        marketCap = try row.amountOrNil()
        circulatingSupply = try row.amountOrNil()
        totalSupply = try row.amountOrNil()
        maximumSupply = try row.amountOrNil()
        allTimeHigh = try row.amountOrNil()
        allTimeHighTime = try row.timeOrNil()
        listed = try row.timeOrNil()
    }
}
