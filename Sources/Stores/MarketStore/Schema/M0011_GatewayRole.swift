import Store

/// What somebody who acts for a user may read of the market, and that the user may want things of it.
enum M0011_GatewayRole: Migration {
    static let version = 11
    static let name = "gateway role"
    /// Programs of earlier versions work on their own version only.
    static let readableFrom: Int? = 11
    static let sql = """
        \(GatewayRole.creation)
        GRANT USAGE ON SCHEMA market TO bitpal_gateway;
        GRANT SELECT ON market.instrument, market.asset, market.category, market.candle TO bitpal_gateway;
        GRANT SELECT, INSERT, UPDATE, DELETE ON market.subscription TO bitpal_gateway;
        """
}
