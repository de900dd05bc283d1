import Instruments
import Support
import Testing

@testable import Venues

/// The scanner reads words where it can and bytes where it must: both must say the same.
@Suite("Numbers and strings in JSON")
struct JSONNumberTests {
    @Test("decimals are read as any decimal is, wherever they end")
    func decimals() {
        property(cases: 2_000) { rng in
            let text = decimalText(&rng)
            let message = framed(text, &rng)
            let expected = try? DecimalNumber(parsing: text)
            let found = read(message) { scanner throws(ScanError) in try scanner.rawDecimal() }
            try #require(found == expected, "\(message)")
        }
    }

    @Test("decimals at a scale are the same number, or too fine for it")
    func scaledDecimals() {
        property(cases: 2_000) { rng in
            let text = decimalText(&rng)
            let message = framed(text, &rng)
            let scale = try #require(Scale(rng.int(0...10)))
            let policy = rng.pick([DecimalPolicy.significant, .verbatim])
            let number = try? DecimalNumber(parsing: text)
            let exact = policy == .significant ? number?.normalized : number
            var expected: Int64?
            if let exact, exact.scale <= scale { expected = try? exact.rescaled(to: scale).units }
            let found = read(message) { scanner throws(ScanError) in
                try scanner.decimal(DecimalForm(.price, scale, policy))
            }
            try #require(found?.units == expected, "\(message) at \(scale.places) \(policy)")
            if policy == .verbatim, let found {
                try #require(found.places == number?.scale.places, "\(message)")
            }
        }
    }

    @Test("whole numbers are those of the text")
    func integers() {
        property(cases: 2_000) { rng in
            let text = (rng.chance(20) ? "-" : "") + digits(rng.int(0...20), &rng)
            let message = framed(text, &rng)
            let found = read(message) { scanner throws(ScanError) in try scanner.integer() }
            try #require(found == Int64(text), "\(message)")
        }
    }

    @Test("strings end at their first free quote")
    func strings() {
        property(cases: 2_000) { rng in
            let parts = (0..<rng.int(0...30)).map { _ in
                rng.pick(["a", "7", "é", " ", "{", "\\\"", "\\\\", "b"])
            }
            let text = parts.joined()
            let message = "\"\(text)\"" + String(repeating: "\"", count: rng.int(0...12))
            let found = read(message) { scanner throws(ScanError) in try scanner.text() }
            try #require(found?.start == 1 && found?.count == text.utf8.count, "\(message)")
            try #require(found?.hasEscapes == text.contains("\\"), "\(message)")
        }
    }

    @Test("symbols of any length are told from each other")
    func symbols() throws {
        let names = ["A", "B", "AB", "BTC", "BTCUSDT", "BTCUSDC", "XBT/USD", "XBT/EUR", "1000SHIBUSDT"]
        let long = ["x", "y", "z"].map { "AAAAAAAA\($0)BBBBBBBB" }
        var registry = InstrumentRegistry(venue: .kraken)
        let indices = (names + long).compactMap { registry.insert($0) }
        #expect(Set(indices).count == names.count + long.count)
        #expect((names + long).map { registry.find($0) } == indices)
        #expect(registry.find("AAAAAAAAwBBBBBBBB") == nil)
        #expect(registry.find("") == nil)
    }

    // MARK: -

    private func digits(_ count: Int, _ rng: inout SeededGenerator) -> String {
        var digits = (0..<count).map { _ in rng.pick(["0", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"])
        }
        // The neighbours of the digits, and what has a digit's low bits.
        if count > 0, rng.chance(3) { digits[rng.int(0...count - 1)] = rng.pick(["/", ":", ";", "p", "é"]) }
        return digits.joined()
    }

    private func decimalText(_ rng: inout SeededGenerator) -> String {
        var text = (rng.chance(10) ? "-" : "") + digits(rng.int(rng.chance(5) ? 0...1 : 1...11), &rng)
        if rng.chance(70) { text += "." + digits(rng.int(rng.chance(5) ? 0...1 : 1...11), &rng) }
        if rng.chance(10) { text += rng.pick(["e", "E", "e+", "E-"]) + digits(rng.int(0...2), &rng) }
        return text
    }

    /// The number as a message has it, with so many bytes behind it.
    private func framed(_ text: String, _ rng: inout SeededGenerator) -> String {
        let rest = String(repeating: "1", count: rng.int(0...24))
        // Nothing, bare, would be whatever follows.
        if text.isEmpty || rng.chance(50) { return "\"\(text)\"" + rest }
        return rng.chance(20) ? text : text + rng.pick([",", "}", "]", " "]) + rest
    }

    private func read<Value>(
        _ message: String, _ body: (inout JSONScanner) throws(ScanError) -> Value
    ) -> Value? {
        Array(message.utf8).withUnsafeBytes { bytes in
            guard var scanner = JSONScanner(bytes) else { return nil }
            return try? body(&scanner)
        }
    }
}
