import Alerting
package import Shapes

/// Rules in the form of import and export, as the document tells them; `Alerting` reads and writes them.
package enum RuleForm: Described {
    /// A rule as it is written.
    package static let document = BodyDocument(
        "RuleForm", "A rule in the form of import and export; what is as usual is left out.",
        written.required.fields(.body(RuleCondition.self)))

    /// The fields of one who makes a rule.
    package static let new = taken.required.fields(.body(NewRuleCondition.self))
    /// The fields of one who changes a rule: those that are missing stay.
    package static let change = taken.fields(.body(NewRuleCondition.self))

    fileprivate static let written = Direction(isTaken: false)
    fileprivate static let taken = Direction(isTaken: true)

    /// Whether a rule comes in, with what may be missing, or goes out.
    fileprivate struct Direction {
        var isTaken: Bool
        /// Whether a condition must be there, and what is always written.
        var isWhole = false

        var required: Direction { Direction(isTaken: isTaken, isWhole: true) }

        /// A decimal, which may come as a bare number.
        var decimal: Schema {
            isTaken ? .keywords([.init("type", ["string", "number"])]) : .decimal
        }
    }
}

/// What must happen for a rule to fire, as it is written.
package enum RuleCondition: Described {
    package static let document = RuleForm.written.condition("RuleCondition")
}

/// What must happen for a rule to fire, as somebody says it.
package enum NewRuleCondition: Described {
    package static let document = RuleForm.taken.condition("NewRuleCondition")
}

extension RuleForm.Direction {
    fileprivate func fields(_ condition: Schema) -> [FieldDocument] {
        let days = Schema.words(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
        let active = object([
            mayLack("hours", .text(), "Such as 08:00-22:00; past midnight too."),
            mayLack("days", .array(days, 0...16), "All where it is missing."),
            hasUsually("time_zone", .text(), "UTC", "Whose clock, such as Europe/Berlin."),
        ])
        return [
            isTaken
                ? mayLack("id", .text(length: 1...128), "A UUID is kept, any other name is replaced by one.")
                : FieldDocument("id", .text("uuid")),
            mayLack(
                "instrument", .text(), "None for a condition on a portfolio or a listing.",
                example: "kraken:BTC/USD"),
            FieldDocument("condition", condition, isRequired: isWhole || !isTaken),
            isTaken
                ? mayLack("repeat", repetition, "Once where it is missing.")
                : FieldDocument("repeat", repetition, example: "once"),
            mayLack("when_already", .boolean, "Whether it fires where the value is already."),
            mayLack("expires", .time, "From then on it fires no more."),
            mayLack("for", .duration, "How long the condition must hold, 1ns...7d."),
            mayLack("active", active, "When it may fire; always where it is missing."),
            mayLack("note", .text(length: 0...1_024), "Words for its owner."),
            mayLack("tags", .array(.text(length: 1...64), 0...16), "For finding it."),
            mayLack(
                "channels", .array(.text(length: 1...64), 0...16),
                "Names of those that tell it; all where there is none."),
            mayLack("priority", .words(AlertPriority.self), "Normal where it is missing."),
        ]
    }

    private var repetition: Schema {
        .anyOf([
            .words(["once"]),
            object([
                hasUsually("cooldown", .duration, "1h", "Not again before, 0s...365d."),
                mayLack("hysteresis", decimal, "Not again before the value went back so far."),
            ]),
        ])
    }

    fileprivate func condition(_ name: String) -> BodyDocument {
        let band = object([FieldDocument("low", decimal), FieldDocument("high", decimal)])
        return BodyDocument(
            name, "A price with crosses and level or with leaves, or one of the others.", isOpen: !isTaken,
            example: ["price": "last", "crosses": "above", "level": "61000"],
            [
                mayLack("price", .words(PriceKind.self)),
                mayLack("crosses", .words(CrossingDirection.self)),
                mayLack("level", decimal, "In the instrument's quote asset."),
                mayLack("leaves", band, "In the instrument's quote asset."),
                mayLack("change", change, "Of a price within a time; by percent or by amount."),
                mayLack("volume", volume, "Of trades within a time; above a size or times the mean."),
                mayLack("spread", object([FieldDocument("above", decimal)]), "Of the best bid and ask."),
                mayLack("imbalance", imbalance, "Of bids and asks, -1...1."),
                mayLack("trade", trade, "One large trade."),
                mayLack("candle", candle, "The close of a candle."),
                mayLack("rsi", rsi), mayLack("macd", macd), mayLack("ema", ema),
                mayLack("bollinger", bollinger),
                mayLack("feed", .words(FeedChange.self), "Of the instrument's data."),
                mayLack("portfolio", portfolio, "A figure of one's own portfolio."),
                mayLack("listing", listing, "A new instrument at a venue."),
            ])
    }

    private var change: Schema {
        object([
            hasUsually("price", .words(PriceKind.self), "last"), mayLack("percent", decimal),
            mayLack("amount", decimal), FieldDocument("within", .duration, "1m...1d."),
            hasUsually("direction", .words(ChangeCondition.Direction.self), "either"),
            hasUsually("against", .words(ChangeCondition.Anchor.self), "start"),
        ])
    }

    private var volume: Schema {
        object([
            mayLack("above", decimal), mayLack("times", decimal),
            FieldDocument("within", .duration, "1s...1d."),
            mayLack("average_of", .integer(in: 1...1_000), "So many such times before, 20 as usual."),
        ])
    }

    private var imbalance: Schema {
        object([hasUsually("levels", .integer(in: 1...25), 5)] + crossing)
    }

    private var trade: Schema {
        object([
            FieldDocument("larger_than", decimal), mayLack("side", .words(["buy", "sell"]), "Any if none."),
        ])
    }

    private var candle: Schema {
        object([
            interval, FieldDocument("close", .words(CrossingDirection.self)), FieldDocument("level", decimal),
        ])
    }

    private var rsi: Schema { object([interval, count("period", 14, from: 2)] + crossing) }

    private var macd: Schema {
        object([
            interval, count("fast", 12), count("slow", 26), count("signal", 9),
            FieldDocument("crosses", .words(CrossingDirection.self)),
        ])
    }

    private var ema: Schema {
        object([
            interval, count("fast", 9), count("slow", 21),
            FieldDocument("crosses", .words(CrossingDirection.self)),
        ])
    }

    private var bollinger: Schema {
        object([
            interval, count("period", 20, from: 2), hasUsually("deviations", decimal, "2"),
            hasUsually("leaves", .words(BandSide.self), "either"),
        ])
    }

    private var portfolio: Schema {
        object(
            [
                FieldDocument("id", .text(length: 1...128)),
                FieldDocument("metric", .words(PortfolioMetric.self)),
            ] + crossing)
    }

    private var listing: Schema {
        object([
            FieldDocument("venue", .text(length: 1...Int.max)), mayLack("base", .text()),
            mayLack("quote", .text()),
        ])
    }

    // MARK: - Parts

    private var interval: FieldDocument {
        FieldDocument("interval", .text(), "Of its candles: 1s, 1m, 5m, 15m, 30m, 1h, 4h, 1d or 7d.")
    }

    private var crossing: [FieldDocument] {
        [FieldDocument("crosses", .words(CrossingDirection.self)), FieldDocument("level", decimal)]
    }

    private func count(_ name: String, _ usual: Int64, from least: Int64 = 1) -> FieldDocument {
        hasUsually(name, .integer(in: least...1_000), .integer(usual), "Candles.")
    }

    /// A field that is not always there, and may come as null.
    private func mayLack(
        _ name: String, _ schema: Schema, _ text: String = "", example: DocumentNode? = nil
    ) -> FieldDocument {
        FieldDocument(
            name, isTaken ? .nullable(schema) : schema, text, example: isWhole ? example : nil,
            isRequired: false)
    }

    /// A field that is always written, and may be missing where a rule comes in.
    private func hasUsually(
        _ name: String, _ schema: Schema, _ usual: DocumentNode, _ text: String = ""
    ) -> FieldDocument {
        guard isTaken else { return FieldDocument(name, schema, text) }
        return FieldDocument(name, .nullable(schema), text, isRequired: false, standard: usual)
    }

    private func object(_ fields: [FieldDocument]) -> Schema {
        guard case .object(let members) = BodyDocument("", isOpen: !isTaken, fields).node else { return .any }
        return .keywords(members)
    }
}

extension Schema {
    /// Such as `90s` or `1h`.
    fileprivate static let duration = Schema.text(pattern: "^[0-9]+(ns|us|ms|s|m|h|d)$")

    fileprivate static func words<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> Schema
    {
        words(type.allCases.map(\.rawValue))
    }
}
