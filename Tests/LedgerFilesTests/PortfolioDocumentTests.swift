import Instruments
import LedgerFiles
import Portfolio
import Support
import Testing

@Suite("Our own document of a portfolio")
struct PortfolioDocumentTests {
    private static func settings(_ rng: inout SeededGenerator) throws -> PortfolioSettings {
        var settings = PortfolioSettings()
        settings.base = Asset(rawValue: rng.pick(["USD", "EUR"]))
        for number in 0..<rng.int(0...3) {
            settings.wallets.append(
                .init(
                    name: "Wallet \(number) \u{1}\"₿", kind: rng.pick(["cold", "other"]),
                    note: rng.pick(["", "a\nb \\"])))
            settings.targets.append(
                .init(
                    asset: Asset(rawValue: "A\(number)"),
                    share: Amount(units: Int64(rng.int(1...99)), places: 18)))
            settings.lots.append(
                .init(
                    from: Timestamp(nanoseconds: number == 0 ? .min : Int64(number) * 1_234_567_891),
                    method: rng.pick(LotMethod.allCases), scope: rng.pick(LotScope.allCases)))
        }
        return settings
    }

    @Test("reads as it was written, whatever follows it")
    func roundTrip() {
        property { rng in
            let settings = try Self.settings(&rng)
            let row = Transaction(
                time: Timestamp(nanoseconds: 7), kind: .deposit, wallet: "A",
                subject: Holding(Amount(units: 1, places: 18), Asset(rawValue: "BTC")), note: "\"\n",
                tags: ["a", "b"], priceSource: "me")
            let further = rng.chance(50) ? "\"revisions\":[{\"number\":1}],\"days\":[]" : ""
            let read = try LedgerJSON.read(LedgerJSON.write([row], settings, further: further))
            try #require(read.settings == settings)
            try #require(read.transactions == [row])
        }
    }

    @Test(
        "names the place of what cannot be read",
        arguments: [
            (#"{"transactions":[],"wallets":[{"kind":"cold"}]}"#, "column 31 (name): is missing"),
            (#"{"transactions":[],"targets":[{"asset":"A","share":"x"}]}"#, "(share): \"x\" is not a plain"),
            (
                #"{"transactions":[],"lot_settings":[{"from":"May","method":"fifo","scope":"wallet"}]}"#,
                "(from): \"May\" is not a time"
            ),
            (
                #"{"transactions":[],"lot_settings":[{"method":"best","scope":"wallet"}]}"#,
                "(method): \"best\""
            ),
            (#"{"transactions":[],"lot_settings":[{"method":"fifo","scope":"all"}]}"#, "(scope): \"all\""),
            (#"{"transactions":[],"wallets":[1]}"#, "an object is expected"),
            (#"{"transactions":[],"targets":{}}"#, "an array of objects is expected"),
        ])
    func slips(text: String, words: String) {
        #expect {
            _ = try LedgerJSON.read(Array(text.utf8))
        } throws: { error in
            "\(error)".hasPrefix("line 1, column ") && "\(error)".contains(words)
        }
    }

    @Test("a list of transactions alone says nothing of settings")
    func plain() throws {
        #expect(try LedgerJSON.read(Array("[]".utf8)).settings == nil)
    }
}
