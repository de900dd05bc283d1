import Alerting
import Instruments
import Support
import Testing

@testable import Channels

@Suite("The text of a notice")
struct NoticeTextTests {
    private static let zone = ZoneOffsets(
        name: "Europe/Berlin", spans: [.init(from: .zero, seconds: 3_600)])

    private static func text(_ notice: Notice, _ tag: String) -> NoticeText {
        NoticeWriter(language: .best(for: [tag]), zone: zone).text(notice)
    }

    @Test("says what happened in each language")
    func says() throws {
        var notice = try ChannelFixtures.notice()
        notice.note = "Sell?"
        notice.tags = ["a", "b"]
        #expect(
            Self.text(notice, "en").whole == """
                binance-usdm:BTCUSDT above USDT\u{A0}61,000.50
                Last price: up to USDT\u{A0}61,003.20, reaching USDT\u{A0}61,000.50
                Before: USDT\u{A0}60,999.90
                Time: Feb 25, 2021, 4:02:09 PM UTC+1
                Sell?
                #a #b
                """)
        #expect(
            Self.text(notice, "de").lines.prefix(3) == [
                "Letzter Kurs: gestiegen auf 61.003,20\u{A0}USDT, hat 61.000,50\u{A0}USDT erreicht",
                "Vorher: 60.999,90\u{A0}USDT", "Zeit: 25.02.2021, 16:02:09 UTC+1",
            ])
        #expect(Self.text(notice, "es").title == "binance-usdm:BTCUSDT por encima de 61.000,50\u{A0}USDT")
        #expect(Self.text(notice, "es").lines[2] == "Hora: 25 feb 2021, 16:02:09 UTC+1")
        #expect(Self.text(notice, "ja").lines[2] == "時刻: 2021/02/25 16:02:09 UTC+1")
    }

    @Test("says how late, how many, since when")
    func saysMore() throws {
        var notice = try ChannelFixtures.notice()
        notice.kind = .late
        notice.lateBy = 3_725_000_000_000
        #expect(Self.text(notice, "en").title.hasPrefix("Late: binance-usdm:BTCUSDT above"))
        #expect(Self.text(notice, "en").lines[2] == "Found 1 hour 2 minutes late, because data was missing.")
        #expect(Self.text(notice, "ja").lines[2] == "データの欠落により、1 時間 2 分遅れて検出しました。")
        notice.kind = .quieted
        notice.count = 1
        let further =
            "innerhalb einer Stunde: Weitere Alarme werden zurückgehalten. Eine Zusammenfassung folgt."
        #expect(Self.text(notice, "de").lines == ["Mehr als 1 Benachrichtigung \(further)"])
        notice.count = 12_345
        #expect(
            Self.text(notice, "de").lines == ["Mehr als 12.345 Benachrichtigungen \(further)"])
        notice.kind = .ruleQuieted
        notice.until = Timestamp(nanoseconds: 1_614_268_600_000_000_000)
        #expect(Self.text(notice, "en").title == "Quiet for a while: binance-usdm:BTCUSDT")
        let quiet = "It is quiet until Feb 25, 2021, 4:56:40 PM UTC+1;"
        #expect(
            Self.text(notice, "en").lines.first?.hasPrefix(
                "This alert fired too often within an hour. \(quiet)") == true)
        notice.kind = .seesAgain
        notice.since = Timestamp(nanoseconds: 1_614_265_000_000_000_000)
        #expect(
            Self.text(notice, "en").lines == [
                "Data can be trusted again since Feb 25, 2021, 4:02:09 PM UTC+1. "
                    + "It was missing since Feb 25, 2021, 3:56:40 PM UTC+1."
            ])
    }

    @Test("says in each language that no feed follows an instrument, where that is why it is blind")
    func unfollowed() {
        var notice = Notice(id: "d", kind: .blind, venueTime: .zero)
        notice.reason = "blind since 1970: trades of kraken:A cannot be believed, it is not followed"
        for tag in ["en", "de", "es", "ja"] { #expect(Self.text(notice, tag).lines.count == 1) }
        let left = UnfollowedInstrument(venue: Venue(rawValue: "kraken"), limit: 1_200)
        notice.reason =
            "blind since 1970: trades of kraken:A cannot be believed, \(left.reason); so is "
            + "another rule of yours"
        for (tag, number) in [("en", "1,200"), ("de", "1.200"), ("es", "1"), ("ja", "1,200")] {
            let lines = Self.text(notice, tag).lines
            #expect(lines.count == 2, "\(tag)")
            #expect(lines.last?.contains("kraken") == true && lines.last?.contains(number) == true)
        }
        #expect(
            Self.text(notice, "en").lines.last
                == "Bitpal does not follow it: at most 1,200 instruments of kraken are followed, and others "
                + "come first. An operator can raise the limit.")
    }

    @Test("takes from a rule what the rule says")
    func takesFromRule() throws {
        let example = try ChannelFixtures.notice()
        let (low, high) = (try ChannelFixtures.decimal("10"), try ChannelFixtures.decimal("20"))
        var rule = AlertRule(
            id: try #require(example.rule), instrument: example.instrument,
            condition: .leaves(.mid, low: low, high: high))
        rule.note = "n"
        rule.tags = ["t"]
        rule.priority = .high
        for (price, level, word) in [("9", low, "down"), ("21", high, "up")] {
            let notice = Notice(
                id: "d", of: rule, epoch: 2, reason: "r", price: try ChannelFixtures.decimal(price),
                venueTime: .zero, lateBy: 0)
            #expect(notice.level == level && notice.kind == .fired && notice.priority == .high)
            #expect(
                Self.text(notice, "en").lines[0].hasPrefix("Mid price: \(word) to \(price), out of the band"))
            #expect(Self.text(notice, "en").lines.suffix(2) == ["n", "#t"])
        }
        let late = Notice(
            id: "d", of: rule, epoch: 2, reason: "r", price: nil, venueTime: .zero, lateBy: 1)
        #expect(late.kind == .late && late.level == nil)
    }

    @Test("of the first and the last instant is written, too")
    func writesEnds() {
        for nanoseconds in [Int64.min, .max] {
            let notice = Notice(id: "x", kind: .blind, venueTime: Timestamp(nanoseconds: nanoseconds))
            #expect(Self.text(notice, "en").lines[0].contains(nanoseconds < 0 ? "1677" : "2262"))
        }
    }

    @Test("of a digest names the first fifty rules, each with how often, and counts the rest")
    func digests() throws {
        let one = try ChannelFixtures.notice()
        var digest = Notice(id: "d", kind: .digest, venueTime: one.venueTime)
        let rule = try #require(one.rule)
        digest.items = (1...60).map { epoch in
            .init(
                rule: rule, epoch: epoch, instrument: one.instrument, price: one.price,
                venueTime: one.venueTime, count: epoch == 1 ? 3 : 1)
        }
        digest.count = 62
        let text = Self.text(digest, "en")
        #expect(text.title == "62 alerts" && text.lines.count == 51)
        #expect(text.lines[0] == "binance-usdm:BTCUSDT 61,003.20 · Feb 25, 2021, 4:02:09 PM UTC+1 ×3")
        #expect(text.lines[1] == "binance-usdm:BTCUSDT 61,003.20 · Feb 25, 2021, 4:02:09 PM UTC+1")
        #expect(text.lines.last == "and 10 more")
    }

    /// Conditions with a word that their English sentence must hold.
    private static func conditions() throws -> [(AlertCondition, String)] {
        let five = try ChannelFixtures.decimal("5")
        let rise = ChangeCondition(price: .mark, size: .percent(five), within: 300_000_000_000)
        return [
            (.crosses(.bid, .either, level: five), "Best bid: up to"),
            (.leaves(.ask, low: five, high: five), "out of the band above"),
            (.change(rise), "Mark price: up from"),
            (.volume(.above(five, within: 60_000_000_000)), "At least 5 was traded within 1 minute"),
            (.volume(.times(five, within: 3_600_000_000_000, averageOf: 3)), "5 times the usual"),
            (.spread(above: five), "Spread: up to"),
            (.imbalance(levels: 5, .above, level: five), "order book has risen to 5 or above"),
            (.imbalance(levels: 5, .below, level: five), "order book has fallen to 5 or below"),
            (.imbalance(levels: 5, .either, level: five), "order book has crossed 5"),
            (.trade(largerThan: five, side: nil), "more than 5 at"),
            (.candle(interval: 900_000_000_000, .above, level: five), "Close (15 minutes): up to"),
            (
                .rsi(interval: 60_000_000_000, period: 14, .above, level: five),
                "RSI(14) has risen above 5"
            ),
            (
                .rsi(interval: 60_000_000_000, period: 14, .either, level: five),
                "RSI(14) has crossed 5"
            ),
            (
                .ema(interval: 60_000_000_000, fast: 2, slow: 4, .below),
                "EMA(2, 4) has given its signal, downwards"
            ),
            (
                .macd(interval: 60_000_000_000, fast: 12, slow: 26, signal: 9, .above),
                "MACD(12, 26, 9)"
            ),
            (.funding(.above, level: five), "Funding rate in percent: up to 61,003.20, reaching 61,000.50"),
            (.openInterest(.below, level: five), "Open interest: up to"),
            (.feed(.stale), "no longer be trusted"), (.feed(.resynced), "trusted again"),
            (.portfolio(id: "main", .profit, .above, level: five), "Profit: up to"),
            (.listing(venue: Venue(rawValue: "kraken"), base: nil, quote: nil), "has been listed"),
        ]
    }

    @Test("has a sentence for each condition in each language, with everything filled in")
    func hasSentences() throws {
        for (condition, words) in try Self.conditions() {
            var notice = try ChannelFixtures.notice()
            notice.condition = condition
            #expect(Self.text(notice, "en").lines[0].contains(words))
            notice.instrument = condition.needsInstrument ? notice.instrument : nil
            for language in Language.all {
                let text = Self.text(notice, language.tag)
                #expect(!text.whole.contains("{") && !text.whole.contains("?"), "\(text.whole)")
                #expect(!text.title.isEmpty && text.lines.allSatisfy { !$0.isEmpty })
            }
        }
    }

    @Test("has something to say of each kind with no more than a time")
    func saysOfLittle() {
        for kind in Notice.Kind.allCases {
            var notice = Notice(id: "x", kind: kind, venueTime: .zero)
            notice.channel = "phone"
            for language in Language.all {
                #expect(!Self.text(notice, language.tag).title.isEmpty)
            }
        }
    }

    @Test(
        "writes numbers as its language does, exactly",
        arguments: [
            ("en", "1234567.00000001", "1,234,567.00000001"), ("de", "1234.5", "1.234,5"),
            ("es", "1234.5", "1234,5"), ("es", "12345.5", "12.345,5"), ("ja", "-0.50", "-0.50"),
            ("en", "0", "0"), ("en", "999", "999"),
            ("de", "-9223372036854775807", "-9.223.372.036.854.775.807"),
        ])
    func writesNumbers(_ tag: String, _ number: String, _ expected: String) throws {
        #expect(Language.best(for: [tag]).numbers.text(try ChannelFixtures.decimal(number)) == expected)
    }

    @Test(
        "writes money as its language does",
        arguments: [
            ("en", "-5.50", "USD", "-$5.50"), ("en", "5.50", "BTC", "BTC\u{A0}5.50"),
            ("es", "5.5", "USD", "5,5\u{A0}US$"),
            ("de", "5.5", "EUR", "5,5\u{A0}€"), ("ja", "500", "JPY", "￥500"),
            ("es", "5", "GBP", "5\u{A0}GBP"),
        ])
    func writesMoney(_ tag: String, _ number: String, _ currency: String, _ expected: String) throws {
        let numbers = Language.best(for: [tag]).numbers
        #expect(numbers.text(try ChannelFixtures.decimal(number), currency: currency) == expected)
    }

    @Test(
        "writes noon and midnight as its language does",
        arguments: [
            ("en", 0, "Jan 1, 1970, 12:00:00 AM UTC"), ("en", 43_200, "Jan 1, 1970, 12:00:00 PM UTC"),
            ("es", 3_600, "1 ene 1970, 1:00:00 UTC"), ("de", -1, "31.12.1969, 23:59:59 UTC"),
        ] as [(String, Int64, String)])
    func writesTimes(_ tag: String, _ seconds: Int64, _ expected: String) {
        let language = Language.best(for: [tag])
        let time = Timestamp(nanoseconds: seconds * 1_000_000_000)
        #expect(language.times.text(time, in: .utc, digits: language.numbers) == expected)
    }
}
