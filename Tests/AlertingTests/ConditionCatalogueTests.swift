import Alerting
import Instruments
import Testing

@Suite("Kinds of conditions")
struct ConditionCatalogueTests {
    private static let more = ConditionCatalogue(ConditionCatalogue.standard.kinds + [DriftCondition.self])

    private static func rule(_ condition: String) throws(FieldFault) -> AlertRule {
        let text =
            "{\"id\":\"r\",\"instrument\":\"binance:BTCUSDT\",\"condition\":\(condition),\"repeat\":\"once\"}"
        return try AlertRule(json: Array(text.utf8), conditions: more)
    }

    @Test("are read as they are written, each form by its example")
    func examples() throws {
        for form in Self.more.forms {
            let rule = form.example
            let instrument = rule.needsInstrument ? "\"instrument\":\"binance:BTCUSDT\"," : ""
            let text = "{\"id\":\"r\",\(instrument)\"condition\":\(rule.json)}"
            let read = try AlertRule(json: Array(text.utf8), conditions: Self.more)
            #expect(read.condition == rule, "\(form.name)")
            #expect(read.condition.json == rule.json)
        }
    }

    @Test("have names of their own")
    func names() {
        let names = Self.more.forms.map(\.name)
        #expect(Set(names).count == names.count)
        let keys = Self.more.shapes.map(\.key)
        #expect(Set(keys).count == keys.count)
    }

    @Test("have words in every language, with a sentence for all that can be chosen")
    func words() {
        for form in ConditionCatalogue.standard.forms {
            #expect(form.words.keys.sorted() == ["de", "en", "es", "ja"], "\(form.name)")
            let fields = Self.flat(form.fields)
            let choices = fields.filter(\.picksSentence).reduce([""]) { sentences, field in
                sentences.flatMap { begun in
                    Self.choices(of: field).map { begun.isEmpty ? $0 : "\(begun).\($0)" }
                }
            }
            let known = Set(fields.map(\.name) + ["name"])
            for (language, words) in form.words {
                #expect(words.says.keys.sorted() == choices.sorted(), "\(form.name) in \(language)")
                for text in words.says.values {
                    let named = Set(text.matches(of: /\{(\w+)\}/).map { String($0.1) })
                    #expect(named.isSubset(of: known), "\(form.name) in \(language): \(text)")
                }
                #expect(!words.name.isEmpty && !words.about.isEmpty)
            }
        }
    }

    private static func flat(_ fields: [ConditionField]) -> [ConditionField] {
        fields.flatMap { field in
            if case .object(let inside, _) = field.content { flat(inside) } else { [field] }
        }
    }

    private static func choices(of field: ConditionField) -> [String] {
        guard case .choice(let words) = field.content else { return ["given", "any"] }
        return field.isOptional ? words + ["any"] : words
    }

    @Test("are looked for in one object, and refused by name")
    func refusals() throws {
        for (condition, words) in [
            ("{\"drift\":{}}", "field \"condition.drift.from\" is missing"),
            ("{\"drift\":{\"from\":7}}", "a whole number below \"from\", which is 7"),
            ("{\"drift\":{\"from\":0}}", "a whole number of 1...1000000"),
            ("{\"drift\":{\"from\":9000,\"to\":1}}", "no such field; known are by, from, price"),
            ("{\"shift\":{}}", "bollinger, funding, open_interest, feed, portfolio, listing, drift"),
            // What is not read first is not refused first.
            ("{\"imbalance\":{\"levels\":99}}", "field \"condition.imbalance.crosses\" is missing"),
            ("{\"volume\":{\"above\":\"x\"}}", "field \"condition.volume.within\" is missing"),
            ("{\"volume\":{\"within\":\"5m\"}}", "accepted is \"above\" or \"times\""),
            ("{\"change\":{\"within\":\"5m\"}}", "field \"condition.change.percent\" is missing"),
            (
                "{\"volume\":{\"above\":\"1\",\"within\":\"5m\",\"average_of\":2}}",
                "known are above, times, within"
            ),
        ] {
            do throws(FieldFault) {
                _ = try Self.rule(condition)
                Issue.record("\(condition) is taken")
            } catch {
                #expect(error.description.contains(words), "\(condition): \(error)")
            }
        }
    }

    @Test("that are new are read, written, listed, decided and told without another line")
    func another() throws {
        let rule = try Self.rule("{\"drift\":{\"from\":1000,\"by\":20}}")
        #expect(rule.condition == AlertCondition(DriftCondition(price: .last, from: 1_000, by: 20)))
        #expect(rule.condition != .crosses(.last, .above, level: DecimalNumber(units: 1, scale: .zero)))
        #expect(rule.condition.json == "{\"drift\":{\"price\":\"last\",\"from\":1000,\"by\":20}}")
        #expect(rule.condition.summary == "last 20 away from 1000")
        #expect(rule.condition.source == .trades)
        #expect(rule.subject == rule.instrument)
        let shape = try #require(Self.more.shapes.last)
        #expect(shape.fields.map(\.field.name) == ["price", "from", "by"])
        #expect(Self.more.forms.last?.words["en"]?.name == "Price drifts away")
        #expect(throws: FieldFault.self) { try AlertRule(json: rule.json) }

        var market = try OneMarket()
        try market.engine.add(rule, into: &market.outputs)
        #expect(try market.fires(at: "1000 1020 980 1021 1000 979") == [3])
        #expect(
            market.firings.map(\.reason) == [
                "last price rose to 1021 from 980, leaving the band above 1020"
            ])
        #expect(rule.condition.level(passedBy: market.firings.first?.price)?.description == "1020")
    }

    @Test("show what belongs to one form alone before what all forms have")
    func shapes() throws {
        let names = ConditionCatalogue.standard.shapes.reduce(into: [String: [String]]()) {
            $0[$1.key] = $1.fields.map(\.field.name)
        }
        #expect(names["price"] == ["price", "crosses", "level", "leaves"])
        #expect(names["change"] == ["price", "percent", "amount", "within", "direction", "against"])
        #expect(names["volume"] == ["above", "times", "within", "average_of"])
    }
}
