import Wire

/// What a key may publish and hear, as beginnings of topics; "" is everything, and no beginning is nothing.
package struct BusRights: Hashable, Sendable {
    /// Topics that it may publish on.
    package let publish: [String]
    /// Topics that it may subscribe to and ask for the retained state of.
    package let subscribe: [String]
    private let publishBytes: [[UInt8]]
    private let subscribeBytes: [[UInt8]]

    package init(publish: [String], subscribe: [String]) {
        self.publish = publish
        self.subscribe = subscribe
        publishBytes = publish.map { Array($0.utf8) }
        subscribeBytes = subscribe.map { Array($0.utf8) }
    }

    package static let unlimited = BusRights(publish: [""], subscribe: [""])

    /// Whether a message on this topic is passed on.
    package func mayPublish(_ topic: UnsafeRawBufferPointer) -> Bool {
        publishBytes.contains { topic.starts(with: $0) }
    }

    /// Whether messages may say that they are of this producer: of whoever's heartbeats may be published.
    package func maySpeak(as producer: String) -> Bool {
        var topic = Topic.heartbeat(producer: producer)
        return topic.withUTF8 { mayPublish(UnsafeRawBufferPointer($0)) }
    }

    /// Whether this subscription is taken: everything that it selects must lie within the rights.
    package func mayHear(_ prefix: UnsafeRawBufferPointer) -> Bool {
        subscribeBytes.contains { prefix.starts(with: $0) }
    }

    /// Whether the retained state under this prefix is told.
    package func mayHear(_ prefix: String) -> Bool { subscribe.contains { prefix.hasPrefix($0) } }
}

extension BusRights {
    /// What each of Bitpal's own services and its operator need; heartbeats tell whoever hears whether
    /// something is missing.
    ///
    /// `scripts/make-secrets.sh` writes the same for containers.
    package static let ofServices: [(name: String, rights: BusRights)] = [
        (
            "feed-ingestor",
            BusRights(
                publish: [
                    "trade.", "ticker.", "mark.", "derivative.", "liquidation.", "book.delta.",
                    "book.snapshot.", "book.audit.", "candle.", "feed.status.", "market.tickers.",
                    "control.reply.", "heartbeat.feed-ingestor", "service.status.feed-ingestor.",
                ],
                subscribe: ["control.", "heartbeat."])
        ),
        (
            "book-builder",
            BusRights(
                publish: [
                    "book.top.", "book.snapshot.", "book.depth.", "candle.", "ticker.day.", "index.",
                    "heartbeat.book-builder", "service.status.book-builder.", "heartbeat.metadata",
                    "service.status.metadata.",
                ],
                subscribe: ["book.", "trade.", "ticker.", "mark.", "candle.", "feed.status.", "heartbeat."])
        ),
        (
            "alert-evaluator",
            BusRights(
                publish: ["heartbeat.alert-evaluator", "service.status.alert-evaluator."],
                subscribe: [
                    "book.", "trade.", "ticker.", "mark.", "derivative.", "candle.", "index.",
                    "feed.status.", "portfolio.valuation.", "heartbeat.",
                ])
        ),
        (
            "portfolio-service",
            BusRights(
                publish: [
                    "portfolio.valuation.", "heartbeat.portfolio-service",
                    "service.status.portfolio-service.",
                ],
                subscribe: ["index.", "market.tickers.", "heartbeat."])
        ),
        (
            "gateway",
            BusRights(
                publish: ["heartbeat.gateway", "service.status.gateway."],
                subscribe: [
                    "book.", "trade.", "ticker.", "mark.", "derivative.", "candle.", "index.",
                    "feed.status.", "market.tickers.",
                    "service.status.", "portfolio.valuation.", "heartbeat.",
                ])
        ),
        ("backup", BusRights(publish: ["heartbeat.backup", "service.status.backup."], subscribe: [])),
        ("operator", BusRights(publish: ["control.", "heartbeat.bitpal-"], subscribe: [""])),
    ]
}
