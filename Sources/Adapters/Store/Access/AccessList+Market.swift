extension AccessList {
    /// What the venues say, and who works on it.
    static let market: [TableAccess] = [
        TableAccess("market.schema_migration", everybody),
        TableAccess(
            "market.instrument",
            [
                .feedIngestor: "raw", .bookBuilder: "ra", .alertEvaluator: "r", .portfolioService: "r",
                .notifier: "r", .gateway: "r",
            ]),
        TableAccess(
            "market.trade", [.feedIngestor: "ra", .bookBuilder: "r", .alertEvaluator: "r", .gateway: "r"]),
        TableAccess("market.trade_batch", [.feedIngestor: "U"]),
        TableAccess("market.trade_hole", [.feedIngestor: "raw", .bookBuilder: "r"]),
        TableAccess("market.book_snapshot", [.bookBuilder: "rawd"]),
        TableAccess(
            "market.subscription",
            [
                .feedIngestor: "rawd", .bookBuilder: "r", .alertEvaluator: "rd",
                .portfolioService: "rawd", .gateway: "rawd",
            ]),
        TableAccess(
            "market.candle",
            [.bookBuilder: "raw", .alertEvaluator: "r", .portfolioService: "raw", .gateway: "r"]),
        TableAccess("market.partition", [.bookBuilder: "r"]),
        TableAccess("market.retention", [.bookBuilder: "raw"]),
        TableAccess(
            "market.member",
            [
                .feedIngestor: "rawd", .bookBuilder: "rawd", .alertEvaluator: "rawd",
                .portfolioService: "rawd", .notifier: "rawd", .gateway: "r",
            ]),
        TableAccess(
            "market.lease",
            [
                .feedIngestor: "raw", .bookBuilder: "raw", .alertEvaluator: "raw", .portfolioService: "raw",
            ]),
        TableAccess("market.shared_venue", [.feedIngestor: "ra"]),
        TableAccess("market.task", [.bookBuilder: "raw"]),
        TableAccess("market.asset", [.bookBuilder: "raw", .gateway: "r"]),
        TableAccess("market.category", [.bookBuilder: "rawd"]),
        TableAccess("market.provider_use", [.bookBuilder: "raw"]),
        TableAccess("market.trending", [.bookBuilder: "rawd", .gateway: "r"]),
    ]
}
