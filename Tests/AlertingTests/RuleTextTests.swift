import Alerting
import Instruments
import MarketData
import Support
import Testing

@Suite("Rules as JSON")
struct RuleTextTests {
    private static let price =
        "\"condition\":{\"price\":\"last\",\"crosses\":\"above\",\"level\":\"61000.5\"}"

    @Test("are read as documented")
    func example() throws {
        let rule = try AlertRule(
            json: """
                {"id":"r1","instrument":"binance-usdm:BTCUSDT","condition":{"price":"last","crosses":"above",\
                "level":"61000.5"},"repeat":{"cooldown":"1h","hysteresis":"10"}}
                """)
        #expect(rule.instrument == InstrumentID(venue: .binanceUSDM, symbol: "BTCUSDT"))
        #expect(rule.condition == .crosses(.last, .above, level: try DecimalNumber(parsing: "61000.5")))
        #expect(
            rule.repetition
                == .recurring(cooldown: 3_600_000_000_000, hysteresis: DecimalNumber(units: 10, scale: .zero))
        )
    }

    @Test(
        "of every kind are written as they are read",
        arguments: [
            "{\"price\":\"bid\",\"crosses\":\"either\",\"level\":\"0.00000001\"}",
            "{\"price\":\"ask\",\"leaves\":{\"low\":\"1\",\"high\":\"2.50\"}}",
            "{\"change\":{\"price\":\"mid\",\"percent\":\"0.01\",\"within\":\"1m\",\"direction\":\"up\",\"against\":\"extreme\"}}",
            "{\"change\":{\"price\":\"last\",\"amount\":\"100\",\"within\":\"1d\",\"direction\":\"either\",\"against\":\"start\"}}",
            "{\"volume\":{\"above\":\"12.5\",\"within\":\"90s\"}}",
            "{\"volume\":{\"times\":\"3\",\"within\":\"1m\",\"average_of\":20}}",
            "{\"spread\":{\"above\":\"5\"}}",
            "{\"imbalance\":{\"levels\":5,\"crosses\":\"below\",\"level\":\"-0.6\"}}",
            "{\"trade\":{\"larger_than\":\"10\",\"side\":\"sell\"}}", "{\"trade\":{\"larger_than\":\"10\"}}",
            "{\"candle\":{\"interval\":\"5m\",\"close\":\"below\",\"level\":\"3\"}}",
            "{\"rsi\":{\"interval\":\"1h\",\"period\":14,\"crosses\":\"above\",\"level\":\"70\"}}",
            "{\"macd\":{\"interval\":\"1h\",\"fast\":12,\"slow\":26,\"signal\":9,\"crosses\":\"either\"}}",
            "{\"ema\":{\"interval\":\"1h\",\"fast\":9,\"slow\":21,\"crosses\":\"above\"}}",
            "{\"bollinger\":{\"interval\":\"1h\",\"period\":20,\"deviations\":\"2\",\"leaves\":\"upper\"}}",
            "{\"feed\":\"stale\"}",
        ])
    func roundTrip(condition: String) throws {
        let text =
            "{\"id\":\"r\",\"instrument\":\"kraken:BTC/USD\",\"condition\":\(condition),\"repeat\":\"once\"}"
        let rule = try AlertRule(json: text)
        #expect(rule.json == text)
    }

    @Test(
        "without an instrument are written as they are read",
        arguments: [
            "{\"portfolio\":{\"id\":\"main\",\"metric\":\"day_change\",\"crosses\":\"below\",\"level\":\"-500\"}}",
            "{\"listing\":{\"venue\":\"kraken\",\"quote\":\"USD\"}}",
        ])
    func noInstrument(condition: String) throws {
        let text = "{\"id\":\"r\",\"condition\":\(condition),\"repeat\":\"once\"}"
        #expect(try AlertRule(json: text).json == text)
    }

    @Test("with every option are written as they are read")
    func options() throws {
        let text = """
            {"id":"0198c2f4-7a11-7cc2-b7d0-0242ac120002","instrument":"kraken:BTC/USD",\
            "condition":{"price":"last","crosses":"above","level":"1"},\
            "repeat":{"cooldown":"90s","hysteresis":"0.5"},"when_already":true,\
            "expires":"2026-12-31T00:00:00.000000000Z","for":"30s",\
            "active":{"hours":"22:00-06:30","days":["mon","sun"],"time_zone":"Europe/Berlin"},\
            "note":"say \\"hi\\" \\u000a₿","tags":["a"],"channels":["phone"],"priority":"high"}
            """
        #expect(try AlertRule(json: text).json == text)
    }

    @Test("of any rule, read and written, give an equal rule")
    func random() {
        property { generator in
            let made = RandomRule.make(
                "r", InstrumentID(venue: .bitmex, symbol: "XBTUSD"), around: 10_000, at: 0, &generator)
            // Reading drops zeros that mean nothing, as of a percentage.
            let rule = try AlertRule(json: made.json)
            try #require(try AlertRule(json: rule.json) == rule)
        }
    }

    @Test(
        "are refused with the field, what it is, and what is accepted",
        arguments: [
            ("{", "no JSON"), ("[]", "a JSON object"),
            ("{\"instrument\":\"a:b\",\(price)}", "field \"id\" is missing"),
            ("{\"id\":\"r\",\(price)}", "field \"instrument\" is missing: accepted is <venue>:<symbol>"),
            ("{\"id\":\"r\",\"instrument\":\"a\",\(price)}", "field \"instrument\" is \"a\""),
            ("{\"id\":\"r\",\"instrument\":\"a:b\"}", "field \"condition\" is missing"),
            (
                "{\"id\":\"r\",\"instrument\":\"a:b\",\(price),\"nots\":1}",
                "field \"nots\" is 1: accepted is no such"
            ),
            ("{\"id\":\"r\",\"id\":\"s\"}", "\"id\" is given twice"),
            (condition("\"crosses\":\"above\",\"level\":\"abc\""), "field \"condition.level\" is \"abc\""),
            (condition("\"crosses\":\"above\",\"level\":\"-1\""), "field \"condition.level\" is \"-1\""),
            (
                condition("\"crosses\":\"over\",\"level\":\"1\""),
                "is \"over\": accepted is above, below, either"
            ),
            (condition("\"leaves\":{\"low\":\"2\",\"high\":\"1\"}"), "a decimal above \"low\", which is 2"),
            (
                condition("\"leaves\":{\"low\":\"2\",\"high\":\"2.0\"}"),
                "\"condition.leaves.high\" is \"2.0\""
            ),
            (
                interval("candle", "7s", "\"close\":\"above\",\"level\":\"1\""),
                "field \"condition.candle.interval\" is \"7s\": accepted is "
                    + "1s, 1m, 5m, 15m, 30m, 1h, 4h, 1d, 1w"
            ),
            (interval("ema", "2h", "\"crosses\":\"above\""), "\"condition.ema.interval\" is \"2h\""),
            (repeated("{\"cooldown\":\"-1s\"}"), "field \"repeat.cooldown\" is \"-1s\""),
            (repeated("{\"hysteresis\":\"-1\"}"), "field \"repeat.hysteresis\" is \"-1\""),
            (repeated("\"twice\""), "field \"repeat\" is \"twice\": accepted is \"once\""),
            (option("\"expires\":\"tomorrow\""), "field \"expires\" is \"tomorrow\""),
            (option("\"for\":\"5\""), "field \"for\" is \"5\""),
            (option("\"active\":{\"hours\":\"8-9\"}"), "field \"active.hours\" is \"8-9\""),
            (
                option("\"active\":{\"days\":[\"mon\",\"noday\"]}"),
                "field \"active.days\" is [\"mon\", \"noday\"]: accepted is of mon, tue"
            ),
        ])
    func refusals(text: String, wanted: String) {
        let error = #expect(throws: FieldFault.self) { try AlertRule(json: text) }
        #expect(error?.description.contains(wanted) == true, "\(error?.description ?? "nothing")")
    }

    private static func condition(_ rest: String) -> String {
        "{\"id\":\"r\",\"instrument\":\"a:b\",\"condition\":{\"price\":\"last\",\(rest)}}"
    }

    @Test("takes every interval of candles, a week also as seven days, and writes it back")
    func intervals() throws {
        for text in ["1s", "1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w", "7d"] {
            let rule = try AlertRule(json: Self.interval("ema", text, "\"crosses\":\"above\""))
            #expect(try AlertRule(json: rule.json) == rule, "\(text)")
        }
    }

    private static func interval(_ kind: String, _ interval: String, _ rest: String) -> String {
        let condition = "\"condition\":{\"\(kind)\":{\"interval\":\"\(interval)\",\(rest)}}"
        return "{\"id\":\"r\",\"instrument\":\"a:b\",\(condition)}"
    }

    private static func repeated(_ value: String) -> String { option("\"repeat\":\(value)") }

    private static func option(_ text: String) -> String {
        "{\"id\":\"r\",\"instrument\":\"a:b\",\(price),\(text)}"
    }
}

@Suite("Active hours")
struct ActiveHoursTests {
    /// 2026-11-20 was a Friday.
    @Test(
        "are by the clock on the wall, and a stretch past midnight belongs to the day on which it begins",
        arguments: [
            ("08:00-22:00", "fri", "2026-11-20T08:00:00Z", true),
            ("08:00-22:00", "fri", "2026-11-20T22:00:00Z", false),
            ("22:00-06:00", "fri", "2026-11-21T05:59:59Z", true),
            ("22:00-06:00", "fri", "2026-11-20T05:00:00Z", false),
            ("22:00-06:00", "sat", "2026-11-21T05:00:00Z", false),
            ("00:00-24:00", "sat", "2026-11-21T23:59:59Z", true),
            ("22:00-00:00", "sat", "2026-11-21T23:59:59Z", true),
            ("22:00-00:00", "sun", "2026-11-22T00:00:00Z", false),
        ])
    func hours(hours: String, day: String, time: String, wanted: Bool) throws {
        let rule = try AlertRule(
            json: """
                {"id":"r","instrument":"a:b","condition":{"feed":"stale"},\
                "active":{"hours":"\(hours)","days":["\(day)"]}}
                """)
        let active = try #require(rule.active)
        let instant = try #require(Timestamp(iso8601: time))
        #expect(active.contains(localSeconds: ZoneOffsets.utc.localSeconds(instant)) == wanted)
    }

    @Test("follow a zone whose offset changes")
    func zone() {
        let zone = ZoneOffsets(
            name: "z",
            spans: [
                .init(from: .zero, seconds: 3_600),
                .init(from: Timestamp(nanoseconds: 10_000_000_000), seconds: 7_200),
            ])
        #expect(zone.localSeconds(Timestamp(nanoseconds: 9_999_999_999)) == 3_609)
        #expect(zone.localSeconds(Timestamp(nanoseconds: 10_000_000_000)) == 7_210)
    }
}
