package import Store

/// The schema `market`: instruments, trades and their holes, candles, book snapshots, leases and what is
/// subscribed.
package enum MarketSchema {
    /// Brings the schema to this program's version.
    package static let migrator = Migrator(
        schema: "market",
        migrations: [
            M0001_Instruments.self, M0002_Trades.self, M0003_BookSnapshots.self, M0004_Subscriptions.self,
            M0005_Candles.self, M0006_Retention.self, M0007_Leases.self, M0008_Assets.self,
            M0009_Tasks.self, M0010_TradeHoles.self, M0011_GatewayRole.self,
            M0012_Coins.self, M0013_SharedVenues.self,
        ])

    /// Channel that is notified when a subscription was committed; for ``Database/listen(to:)``.
    ///
    /// A notification is a hint: read the table after it, after each (re)connection, and now and then.
    package static let subscriptionChannel = "market_subscription"
}
