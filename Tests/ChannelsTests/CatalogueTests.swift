import Testing

@testable import Channels

@Suite("A catalogue")
struct CatalogueTests {
    @Test("has every text", arguments: Language.all.map(\.tag))
    func hasAll(_ tag: String) {
        let language = Language.best(for: [tag])
        #expect(language.tag == tag)
        #expect(Set(TextKey.allCases).subtracting(language.phrases.keys).isEmpty)
        for (key, phrase) in language.phrases {
            for text in phrase.texts { #expect(!text.isEmpty && !text.contains("\n"), "\(key)") }
        }
    }

    @Test(
        "has in each text the placeholders that are filled in, and no others",
        arguments: Language.all.map(\.tag))
    func hasPlaceholders(_ tag: String) {
        for (key, phrase) in Language.best(for: [tag]).phrases {
            for text in phrase.texts {
                #expect(Placeholders.names(in: text) == key.placeholders, "\(key): \(text)")
            }
        }
    }

    @Test(
        "has just the plural forms of its language where something is counted",
        arguments: Language.all.map(\.tag))
    func hasForms(_ tag: String) {
        let language = Language.best(for: [tag])
        for (key, phrase) in language.phrases {
            if case .counted(let forms) = phrase {
                #expect(key.isCounted)
                #expect(Set(forms.keys) == language.plural.forms, "\(key)")
            } else {
                #expect(!key.isCounted, "\(key)")
            }
        }
        for count in 0...200 { #expect(language.plural.forms.contains(language.plural.form(count))) }
    }

    @Test("has times and digits in full", arguments: Language.all.map(\.tag))
    func hasTimes(_ tag: String) {
        let language = Language.best(for: [tag])
        #expect(language.times.months.count == 12 && language.times.halves.count == 2)
        #expect(language.numbers.digits.count == 10)
    }

    @Test(
        "is found for a person's wishes",
        arguments: [
            ("de-AT", "de"), ("de_CH.UTF-8", "de"), ("JA", "ja"), ("es-419", "es"), ("xx", "en"), ("", "en"),
            ("den", "en"),
        ])
    func isFound(_ wish: String, _ tag: String) {
        #expect(Language.best(for: [wish]).tag == tag)
        #expect(Language.best(for: ["xx", wish, "ja"]).tag == (tag == "en" ? "ja" : tag))
    }

    @Test("of a language from right to left isolates what is filled in, with its own digits and forms")
    func isolates() {
        let arabic = Language(
            tag: "ar", isRightToLeft: true,
            numbers: NumberStyle(
                decimal: "٫", group: "٬", isCurrencyFirst: false, signs: [:],
                digits: ["٠", "١", "٢", "٣", "٤", "٥", "٦", "٧", "٨", "٩"]),
            times: Language.english.times,
            plural: PluralRule(forms: Set(PluralForm.allCases)) { count in
                switch count {
                case 0: .zero
                case 1: .one
                case 2: .two
                default: (3...10).contains(count % 100) ? .few : count % 100 > 10 ? .many : .other
                }
            },
            phrases: [.minutes: .counted([.few: "{count} دقائق", .other: "{count} دقيقة"])])
        #expect(arabic.text(.minutes, count: 5) == "\u{2068}٥\u{2069} دقائق")
        #expect(arabic.text(.minutes, count: 1_234) == "\u{2068}١٬٢٣٤\u{2069} دقيقة")
    }
}
