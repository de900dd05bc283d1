import FuzzInputs
import Instruments
import Support
import Testing

@testable import Providers

@Suite("Broken answers of providers")
struct ProviderFuzzTests {
    private static let texts: [(provider: String, text: String)] = [
        (
            "coingecko",
            #"[{"id":"a","symbol":"a","name":"A","current_price":1.5e-3,"ath_date":"2024-03-14T07:10:36Z"}]"#
        ),
        (
            "coinpaprika",
            #"[{"id":"a-a","symbol":"A","name":"A","rank":1,"quotes":{"USD":{"price":1.25}}}]"#
        ),
        ("coinlore", #"{"data":[{"id":"9","symbol":"A","name":"A","price_usd":"1.5"}],"info":{"time":1}}"#),
        ("coindesk", #"{"Data":{"A-USD":{"VALUE":1.5,"VALUE_LAST_UPDATE_TS":5}},"Err":{}}"#),
        ("cryptocompare", #"{"RAW":{"A":{"USD":{"PRICE":1.5,"LASTUPDATE":5}}}}"#),
    ]

    @Test("an answer that is cut anywhere is refused, and a changed one is read or refused")
    func broken() throws {
        for (name, text) in Self.texts {
            let provider = try #require(ProviderCatalogue.description(of: Venue(rawValue: name)))
            let bytes = Array(text.utf8)
            #expect(try provider.read(bytes, to: .list(page: 1)).first?.price != nil, "\(name)")
            for length in bytes.indices {
                #expect(throws: ProviderError.self, "\(name) cut at \(length)") {
                    try provider.read(Array(bytes[..<length]), to: .list(page: 1))
                }
            }
            for seed in 0..<500 as Range<UInt64> {
                var generator = SeededGenerator(seed: seed)
                var changed = bytes
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let place = Int.random(in: changed.indices, using: &generator)
                    changed[place] = UInt8.random(in: 0...255, using: &generator)
                }
                // It must come back, whatever it says; a price is never negative or nothing.
                let quotes = (try? provider.read(changed, to: .list(page: 1))) ?? []
                #expect(quotes.allSatisfy { $0.price.map { $0 > .zero } ?? true }, "\(name), seed \(seed)")
            }
        }
    }

    @Test("each provider of the catalogue has an input that fuzzing starts from, as it is made today")
    func seeds() {
        let stale = ProviderCatalogue.standard.map(\.venue.rawValue).filter { name in
            let own = Self.texts.filter { $0.provider == name }.map(\.text)
            let lines = own.flatMap { ["l \($0)", "k \($0)", "c \($0)"] } + Self.streamed.map { "s \($0)" }
            let input = Array((["+\(name)"] + lines).joined(separator: "\n").utf8)
            input.withUnsafeBytes { VenueInput.run($0) }
            property(cases: 200) { rng in
                var input = input
                for _ in 0..<rng.int(1...6) { input = rng.damaged(input) }
                input.withUnsafeBytes { VenueInput.run($0) }
            }
            return own.isEmpty
                || !FuzzCorpus.keeps("provider-\(name)", in: "VenuesTests/FailCases", as: input)
        }
        #expect(stale == [], "make fuzz-seeds writes them")
    }

    /// Of both streamers.
    private static let streamed = [
        #"{"TYPE":"5","MARKET":"CCCAGG","FROMSYMBOL":"A","TOSYMBOL":"USD","PRICE":7,"LASTUPDATE":5}"#,
        #"{"TYPE":"0","M":"Kraken","FSYM":"A","TSYM":"USD","F":"1","ID":"9","TS":5,"Q":1.5,"P":7}"#,
        #"{"TYPE":"985","MARKET":"cadli","INSTRUMENT":"A-USD","VALUE":7.5,"VALUE_LAST_UPDATE_TS":5}"#,
        #"{"TYPE":"500","MESSAGE":"INVALID_SUB"}"#,
    ]

    @Test("a streamer's message that is cut anywhere is refused and changes nothing")
    func stream() throws {
        let first = #"{"TYPE":"5","MARKET":"CCCAGG","FROMSYMBOL":"A","TOSYMBOL":"USD","PRICE":7}"#
        let second = Array(first.replacing("7", with: "8").utf8)
        var stream = ProviderStream(.cryptoCompare)
        _ = try stream.read(Array(first.utf8))
        for length in second.indices {
            #expect(throws: ProviderError.malformed, "cut at \(length)") {
                try stream.read(Array(second[..<length]))
            }
        }
        let silent = Array(first.replacing(#","PRICE":7"#, with: "").utf8)
        guard case .quote(_, let quote) = try stream.read(silent) else {
            Issue.record("no quote")
            return
        }
        #expect(quote.price == Amount(units: 7))
    }
}
