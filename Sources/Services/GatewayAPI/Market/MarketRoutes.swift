import GatewayFrame

/// The market: what everybody may see where it is public.
extension Gateway {
    func addMarketRoutes(to routes: RouteTable) {
        InstrumentRoutes(services: services).add(to: routes)
        CoinRoutes(services: services).add(to: routes)
        DiscoverRoutes(services: services).add(to: routes)
        CoinIconRoutes().add(to: routes)
        PriceRoutes(services: services).add(to: routes)
        BookRoutes(services: services).add(to: routes)
        TradeRoutes(services: services).add(to: routes)
        CandleRoutes(services: services).add(to: routes)
        StatusRoutes(services: services).add(to: routes)
    }
}
