import Alerting
import Instruments
import MarketData

/// A rule as a client writes it.
///
/// What is read is written as the same rule, and the engine that all users share takes it through prices as
/// small and as great as a venue can say them.
enum RuleInput {
    static func read(_ bytes: [UInt8]) {
        guard let rule = try? AlertRule(json: bytes, id: RuleID(uuid: 0, 1)) else { return }
        precondition((try? AlertRule(json: rule.json)) == rule, "a rule changed on its way")
        precondition((try? rule.merging(json: Array(rule.json.utf8))) == rule, "a rule changed by itself")
        _ = try? rule.merging(json: bytes)
        run(rule)
    }

    private static func run(_ rule: AlertRule) {
        var rule = rule
        // The zones of the system are no part of what is read here.
        rule.active?.timeZone = "UTC"
        let id = rule.instrument ?? InstrumentID(venue: Venue(rawValue: "binance"), symbol: "BTCUSDT")
        var (engine, outputs) = (AlertEngine(), [AlertOutput]())
        let market = engine.market(id)
        for source in AlertSource.allCases { engine.prove(source, of: market, at: .zero, into: &outputs) }
        try? engine.add(rule, into: &outputs)
        for (index, step) in steps.enumerated() {
            let time = Timestamp(nanoseconds: step.time)
            engine.trade(trade(step, index, time), of: market, into: &outputs)
            let quote = quote(step, time)
            engine.quote(quote, of: market, into: &outputs)
            engine.levels(quote, of: market, into: &outputs)
            for kind in [PriceKind.mark, .index] {
                engine.reference(
                    kind, Price(step.price), step.scale, at: time, received: time, of: market, into: &outputs)
            }
            for interval in engine.intervals(of: market) {
                let candle = ClosedCandle(
                    interval: interval, start: time, close: Price(step.price), priceScale: step.scale,
                    receivedTime: time)
                engine.close(candle, of: market, into: &outputs)
            }
            engine.listed(
                id, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USDT"), at: time, received: time,
                into: &outputs)
            engine.advance(to: time, into: &outputs)
        }
        precondition(outputs.count <= 100 * steps.count, "one rule says more than it sees")
    }

    private struct Step {
        var time: Int64
        var price: Int64
        var size: Int64
        var scale: Scale
    }

    private static let steps: [Step] = {
        let second: Int64 = 1_000_000_000
        let places: [(Int64, Int64, Int64, Int)] = [
            (0, 6_000_000, 1, 2), (second, 6_100_050, 10, 2), (2 * second, 5_900_000, 1_000, 2),
            (62 * second, 1, .max, 18), (63 * second, .max, .max, 0), (64 * second, 1, 1, 0),
            (3_700 * second, .max, 1, 18), (90_000 * second, 6_000_000, 5, 2), (.max - 1, 6_200_000, 5, 2),
        ]
        return places.map { Step(time: $0.0, price: $0.1, size: $0.2, scale: Scale($0.3) ?? .zero) }
    }()

    private static func trade(_ step: Step, _ index: Int, _ time: Timestamp) -> Trade {
        Trade(
            id: "\(index)", side: .buy, price: Price(step.price), size: Quantity(step.size),
            priceScale: step.scale, sizeScale: step.scale, venueTime: time, receivedTime: time)
    }

    private static func quote(_ step: Step, _ time: Timestamp) -> BookQuote {
        let bid = BookLevel(price: Price(max(step.price - 1, 1)), size: Quantity(step.size))
        let ask = BookLevel(price: Price(step.price), size: Quantity(1))
        return BookQuote(
            bid: bid, ask: ask, bids: Array(repeating: bid, count: 25),
            asks: Array(repeating: ask, count: 25),
            priceScale: step.scale, sizeScale: step.scale, venueTime: time, receivedTime: time)
    }
}
