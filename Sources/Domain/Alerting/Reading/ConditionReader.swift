import Instruments
import JSON
import MarketData

/// Reads the `condition` of a rule.
enum ConditionReader {
    static let accepted = """
        an object with one of price, change, volume, spread, imbalance, trade, candle, rsi, macd, ema, \
        bollinger, feed, portfolio, listing
        """

    static func read(_ node: JSONValue) throws(FieldFault) -> AlertCondition {
        var fields = try FieldReader(node, path: "condition", accepted: accepted)
        if fields.has("price") { return try price(&fields) }
        guard fields.keys.count == 1, let kind = fields.keys.first, let body = fields.node(kind) else {
            throw FieldFault("condition", "an object of \(fields.keys)", accepted: accepted)
        }
        if kind == "feed" {
            guard let change = try fields.choice("feed", FeedChange.self) else {
                throw fields.fault("feed", "stale, resynced")
            }
            return .feed(change)
        }
        guard let reader = readers[kind] else {
            throw FieldFault("condition.\(kind)", body.excerpt, accepted: accepted)
        }
        var inner = try FieldReader(body, path: "condition.\(kind)", accepted: "an object")
        let condition = try reader(&inner)
        try inner.finish()
        return condition
    }

    private typealias Reader = @Sendable (inout FieldReader) throws(FieldFault) -> AlertCondition

    private static let readers: [String: Reader] = [
        "change": change, "volume": volume, "spread": spread, "imbalance": imbalance, "trade": trade,
        "candle": candle, "rsi": rsi, "macd": macd, "ema": ema, "bollinger": bollinger,
        "portfolio": portfolio, "listing": listing,
    ]

    private static func price(_ fields: inout FieldReader) throws(FieldFault) -> AlertCondition {
        let kind = try required(try fields.choice("price", PriceKind.self), fields, "price", "a price")
        let condition: AlertCondition
        if let node = fields.node("leaves") {
            guard !fields.has("crosses"), !fields.has("level") else {
                throw fields.fault("leaves", "either \"leaves\" or \"crosses\" with \"level\"")
            }
            var band = try FieldReader(
                node, path: "condition.leaves", accepted: "{\"low\": \"59000\", \"high\": \"61000\"}")
            let low = try required(try band.positive("low"), band, "low", "a decimal above 0")
            let high = try required(try band.positive("high"), band, "high", "a decimal above 0")
            guard low < high, !low.isEqual(to: high) else {
                throw band.fault("high", "a decimal above \"low\", which is \(low)")
            }
            try band.finish()
            condition = .leaves(kind, low: low, high: high)
        } else {
            let direction = try crossing(&fields)
            let level = try required(try fields.positive("level"), fields, "level", "a decimal above 0")
            condition = .crosses(kind, direction, level: level)
        }
        try fields.finish()
        return condition
    }

    private static func change(_ fields: inout FieldReader) throws(FieldFault) -> AlertCondition {
        let kind = try fields.choice("price", PriceKind.self) ?? .last
        let size: ChangeCondition.Size
        if let percent = try fields.positive("percent") {
            guard !fields.has("amount"), percent.normalized.scale.places <= 4 else {
                throw fields.fault("percent", "a decimal of at most 4 places, without \"amount\"")
            }
            size = .percent(percent.normalized)
        } else {
            let amount = try fields.positive("amount")
            size = .amount(try required(amount, fields, "percent", "\"percent\" or \"amount\""))
        }
        let within = try fields.duration("within", RuleDuration.minute...RuleDuration.day)
        return .change(
            ChangeCondition(
                price: kind, size: size, within: try required(within, fields, "within", "1m...1d"),
                direction: try fields.choice("direction", ChangeCondition.Direction.self) ?? .either,
                anchor: try fields.choice("against", ChangeCondition.Anchor.self) ?? .start))
    }

    private static func volume(_ fields: inout FieldReader) throws(FieldFault) -> AlertCondition {
        let duration = try fields.duration("within", 1_000_000_000...RuleDuration.day)
        let within = try required(duration, fields, "within", "1s...1d")
        guard let times = try fields.positive("times") else {
            let above = try required(try fields.positive("above"), fields, "above", "\"above\" or \"times\"")
            return .volume(.above(above, within: within))
        }
        guard times.normalized.scale.places <= 4 else {
            throw fields.fault("times", "a decimal of at most 4 places")
        }
        let count = try fields.integer("average_of", 1...1_000) ?? 20
        return .volume(.times(times.normalized, within: within, averageOf: count))
    }

    private static func spread(_ fields: inout FieldReader) throws(FieldFault) -> AlertCondition {
        .spread(above: try required(try fields.positive("above"), fields, "above", "a decimal above 0"))
    }

    private static func imbalance(_ fields: inout FieldReader) throws(FieldFault) -> AlertCondition {
        let accepted = "a decimal of -1...1 with at most 9 places"
        let one = DecimalNumber(units: 1, scale: .zero)
        let minusOne = DecimalNumber(units: -1, scale: .zero)
        let direction = try crossing(&fields)
        let level = try required(try fields.decimal("level", accepted)?.normalized, fields, "level", accepted)
        guard !(level < minusOne), !(one < level), level.scale.places <= 9 else {
            throw fields.fault("level", accepted)
        }
        return .imbalance(levels: try fields.integer("levels", 1...25) ?? 5, direction, level: level)
    }

    private static func trade(_ fields: inout FieldReader) throws(FieldFault) -> AlertCondition {
        let size = try required(
            try fields.positive("larger_than"), fields, "larger_than", "a decimal above 0")
        let side = try fields.text("side", "buy, sell")
        guard let side else { return .trade(largerThan: size, side: nil) }
        guard let named = Side.allCases.first(where: { $0.name == side }) else {
            throw fields.fault("side", "buy, sell")
        }
        return .trade(largerThan: size, side: named)
    }

    private static func candle(_ fields: inout FieldReader) throws(FieldFault) -> AlertCondition {
        let interval = try interval(&fields)
        let close = try required(
            try fields.choice("close", CrossingDirection.self), fields, "close", "above, below, either")
        return .candle(
            interval: interval, close,
            level: try required(try fields.positive("level"), fields, "level", "a decimal above 0"))
    }

    private static func rsi(_ fields: inout FieldReader) throws(FieldFault) -> AlertCondition {
        let accepted = "a decimal of 0...100"
        let hundred = DecimalNumber(units: 100, scale: .zero)
        let interval = try interval(&fields)
        let period = try fields.integer("period", 2...1_000) ?? 14
        let direction = try crossing(&fields)
        let level = try required(try fields.decimal("level", accepted), fields, "level", accepted)
        guard level.units >= 0, !(hundred < level.normalized) else { throw fields.fault("level", accepted) }
        return .indicator(interval: interval, .rsi(period: period, direction, level: level))
    }

    private static func macd(_ fields: inout FieldReader) throws(FieldFault) -> AlertCondition {
        let interval = try interval(&fields)
        let fast = try fields.integer("fast", 1...1_000) ?? 12
        let slow = try slower(&fields, than: fast, or: 26)
        let signal = try fields.integer("signal", 1...1_000) ?? 9
        let direction = try crossing(&fields)
        return .indicator(interval: interval, .macd(fast: fast, slow: slow, signal: signal, direction))
    }

    private static func ema(_ fields: inout FieldReader) throws(FieldFault) -> AlertCondition {
        let interval = try interval(&fields)
        let fast = try fields.integer("fast", 1...1_000) ?? 9
        let slow = try slower(&fields, than: fast, or: 21)
        return .indicator(interval: interval, .ema(fast: fast, slow: slow, try crossing(&fields)))
    }

    private static func bollinger(_ fields: inout FieldReader) throws(FieldFault) -> AlertCondition {
        let interval = try interval(&fields)
        let period = try fields.integer("period", 2...1_000) ?? 20
        let deviations = try fields.positive("deviations") ?? DecimalNumber(units: 2, scale: .zero)
        let side = try fields.choice("leaves", BandSide.self) ?? .either
        return .indicator(
            interval: interval, .bollinger(period: period, deviations: deviations, side))
    }

    private static func portfolio(_ fields: inout FieldReader) throws(FieldFault) -> AlertCondition {
        let accepted = "a text of 1...128 bytes"
        let id = try required(try fields.text("id", accepted), fields, "id", accepted)
        guard (1...128).contains(id.utf8.count) else { throw fields.fault("id", accepted) }
        let metric = try required(
            try fields.choice("metric", PortfolioMetric.self), fields, "metric", "value, profit, day_change")
        let direction = try crossing(&fields)
        let level = try fields.decimal("level", "a decimal")
        return .portfolio(
            id: id, metric, direction, level: try required(level, fields, "level", "a decimal"))
    }

    private static func listing(_ fields: inout FieldReader) throws(FieldFault) -> AlertCondition {
        let accepted = "a venue such as \"kraken\""
        let venue = try required(try fields.text("venue", accepted), fields, "venue", accepted)
        guard !venue.isEmpty else { throw fields.fault("venue", accepted) }
        return .listing(
            venue: Venue(rawValue: venue), base: try fields.text("base", "a text"),
            quote: try fields.text("quote", "a text"))
    }

    // MARK: - Parts

    private static func crossing(_ fields: inout FieldReader) throws(FieldFault) -> CrossingDirection {
        try required(
            try fields.choice("crosses", CrossingDirection.self), fields, "crosses", "above, below, either")
    }

    private static func interval(_ fields: inout FieldReader) throws(FieldFault) -> Int64 {
        let accepted = RuleDuration.intervals.joined(separator: ", ")
        let text = try required(try fields.text("interval", accepted), fields, "interval", accepted)
        // A week is written as seven days too: that is how rules are kept.
        guard RuleDuration.intervals.contains(text) || text == "7d" else {
            throw fields.fault("interval", accepted)
        }
        return try required(RuleDuration.parse(text == "1w" ? "7d" : text), fields, "interval", accepted)
    }

    private static func slower(
        _ fields: inout FieldReader, than fast: Int, or standard: Int
    ) throws(FieldFault) -> Int {
        let slow = try fields.integer("slow", 1...1_000) ?? standard
        guard slow > fast else {
            throw fields.fault("slow", "a whole number above \"fast\", which is \(fast)")
        }
        return slow
    }

    private static func required<Value>(
        _ value: Value?, _ fields: FieldReader, _ key: String, _ accepted: String
    ) throws(FieldFault) -> Value {
        guard let value else { throw fields.fault(key, accepted) }
        return value
    }
}
