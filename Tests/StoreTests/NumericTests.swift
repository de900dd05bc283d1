import Support
import Testing

@testable import Store

@Suite("Numeric")
struct NumericTests {
    @Test(
        "keeps plain notation and its scale",
        arguments: [
            ("0", "0"), ("-0.00", "0.00"), ("+7", "7"), ("007.50", "7.50"), (".5", "0.5"),
            ("-12.3400", "-12.3400"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
        ])
    func parses(text: String, expected: String) throws {
        #expect(try #require(Numeric(text)).description == expected)
    }

    @Test(
        "refuses what is no plain number", arguments: ["", "-", ".", "1.", "1e5", "NaN", "1 ", "1.2.3", "١"])
    func refuses(text: String) {
        #expect(Numeric(text) == nil)
    }

    @Test(
        "places the point of scaled integers",
        arguments: [
            (Int64(0), 0, "0"), (0, 3, "0.000"), (5, 3, "0.005"), (-12_345, 2, "-123.45"),
            (.max, 18, "9.223372036854775807"),
            (.min, 0, "-9223372036854775808"), (.min, 18, "-9.223372036854775808"),
        ])
    func fromUnits(units: Int64, scale: Int, expected: String) {
        #expect(Numeric(units: units, scale: scale).description == expected)
    }

    @Test("binary form reads back equal", arguments: 0..<200)
    func roundTrip(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let digits = { (count: Int) in
            String((0..<count).map { _ in "0123456789".randomElement(using: &random) ?? "0" })
        }
        let whole = digits(Int.random(in: 1...40, using: &random))
        let fraction = digits(Int.random(in: 0...40, using: &random))
        let text = (Bool.random(using: &random) ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
        let number = try #require(Numeric(text), "\(text)")
        var bytes: [UInt8] = []
        number.write(to: &bytes)
        #expect(bytes.withUnsafeBytes { Numeric(binary: $0) } == number, "seed \(seed): \(text)")
    }

    @Test("arbitrary bytes give a number or nil", arguments: 0..<200)
    func arbitraryBytes(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        let number = bytes.withUnsafeBytes { Numeric(binary: $0) }
        #expect((number?.description.utf8.count ?? 0) <= Numeric.maximumDigits + 8)
    }
}
