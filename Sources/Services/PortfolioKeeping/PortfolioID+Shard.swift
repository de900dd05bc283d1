import MarketStore
import PortfolioStore
import Store

extension PortfolioID {
    /// The part of all portfolios that it belongs to: its last byte, which is made by chance.
    var shard: Shard { Shard(rawValue: UInt8(truncatingIfNeeded: rawValue.low)) }
}
