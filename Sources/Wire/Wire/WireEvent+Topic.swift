import MarketData

extension WireEvent {
    /// Whether such a message travels under this topic.
    ///
    /// Rights on the bus are given by topics: what says one thing under the topic of another was let through
    /// by a right that does not cover it. Whose heartbeat one is stands in its envelope alone, so that any of
    /// their topics will do here; the bus compares them.
    public func travels(under topic: String) -> Bool {
        switch self {
        case .trade(let id, _): topic == Topic.trade(id)
        case .tradesStored(let id, _): topic == Topic.tradesStored(id)
        case .ticker(let id, _): topic == Topic.ticker(id)
        case .dayTicker(let id, _): topic == Topic.dayTicker(id)
        case .mark(let id, _): topic == Topic.mark(id)
        case .derivative(let id, _): topic == Topic.derivative(id)
        case .liquidation(let id, _): topic == Topic.liquidation(id)
        case .marketTickers(let part): topic == Topic.marketTickers(part.venue, part: part.number)
        case .candle(let id, let candle): topic == Topic.candle(interval: candle.interval, id)
        case .madeCandle(let id, let candle): topic == Topic.candle(interval: candle.interval, id)
        case .indexPrice(let price): topic == "index.\(Topic.escape(price.pair))."
        case .portfolioValuation(let valuation): topic == Topic.portfolioValuation(valuation.portfolio)
        case .bookDelta(let id, _), .bookStateChange(let id, _): topic == Topic.bookDelta(id)
        case .bookSnapshot(let id, _): topic == Topic.bookSnapshot(id)
        case .bookDepth(let id, _): topic == Topic.bookDepth(id)
        case .bookTop(let id, _): topic == Topic.bookTop(id)
        case .bookAudit(let id, _): topic == Topic.bookAudit(id)
        case .heartbeat: topic.hasPrefix("heartbeat.")
        case .feedStatus(let status): topic == "feed.status.\(Topic.escape(status.venue))."
        case .serviceStatus(let status):
            topic == Topic.serviceStatus(service: status.service, instance: status.instance)
        case .controlCommand: topic.hasPrefix("control.") && !topic.hasPrefix("control.reply.")
        case .controlReply(let reply): topic == Topic.controlReply(requestID: reply.requestID)
        }
    }
}
