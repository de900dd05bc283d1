import Instruments
import Support
import Testing

@Suite("Amount")
struct AmountTests {
    private func amount(_ text: String) throws -> Amount { try Amount(parsing: text) }

    @Test(
        "is printed as a plain decimal without zeros at its end",
        arguments: [
            ("0", "0"), ("-0", "0"), ("0.000", "0"), ("1.50", "1.5"), ("-12.50", "-12.5"), ("1e3", "1000"),
            ("9.121E-7", "0.0000009121"), ("100", "100"), ("1e30", "1" + String(repeating: "0", count: 30)),
            ("0.000000000000000001", "0.000000000000000001"),
            (
                "123456789012345678901234567890123456789012345678901234567890.5",
                "123456789012345678901234567890123456789012345678901234567890.5"
            ),
            ("170141183460469231731687303715884105727", "170141183460469231731687303715884105727"),
            ("170141183460469231731687303715884105728", "170141183460469231731687303715884105728"),
            ("-170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"),
        ])
    func text(input: String, output: String) throws {
        #expect(try amount(input).description == output)
    }

    @Test(
        "names the first byte that does not fit",
        arguments: [
            ("", 0), ("-", 1), ("+1", 0), (".5", 0), ("1.", 2), ("--1", 1), ("1e", 2), ("1e+", 3), ("1,5", 1),
            (" 1", 0), ("1 ", 1), ("nan", 0), ("1.2.3", 3), ("0x10", 1), ("1e5.0", 3),
        ])
    func malformed(text: String, offset: Int) {
        #expect(throws: AmountError.malformed(offset: offset)) { try Amount(parsing: text) }
    }

    @Test("refuses what no ledger needs")
    func tooLong() {
        for text in ["1e121", "1e-121", "1e99999", String(repeating: "9", count: 300)] {
            #expect(throws: AmountError.tooLong) { try Amount(parsing: text) }
        }
        #expect(throws: Never.self) { try Amount(parsing: String(repeating: "9", count: 120)) }
    }

    @Test(
        "divides half-even at a stated number of places",
        arguments: [
            ("1", "3", 2, "0.33"), ("2", "3", 2, "0.67"), ("-2", "3", 2, "-0.67"), ("1", "8", 2, "0.12"),
            ("3", "8", 2, "0.38"), ("-1", "8", 2, "-0.12"), ("1", "-8", 2, "-0.12"), ("0.005", "1", 2, "0"),
            ("0.015", "1", 2, "0.02"), ("7", "7", 0, "1"), ("0", "5", 3, "0"), ("5", "2", 0, "2"),
            ("1e60", "3", 1, String(repeating: "3", count: 60) + ".3"),
            // Long division guesses one digit too high here and must add the divisor back.
            (
                "3138550867693340381917894711603833208051177722232017256451",
                "784637716923335095479473677900958302012794430558004314113", 0, "4"
            ),
            ("1", "1e60", 60, "0." + String(repeating: "0", count: 59) + "1"),
        ])
    func division(dividend: String, divisor: String, places: Int, quotient: String) throws {
        let result = try amount(dividend).divided(by: amount(divisor), places: places)
        #expect(result?.description == quotient)
    }

    @Test("has no quotient by zero")
    func zero() throws {
        #expect(try amount("1").divided(by: .zero, places: 2) == nil)
        #expect(try amount("1").portion(.one, of: .zero, places: 2) == nil)
    }

    @Test("splits so that the parts sum to the whole")
    func split() throws {
        let parts = try amount("100").split(by: [.one, .one, .one], places: 2)
        #expect(parts.map(\.description) == ["33.33", "33.33", "33.34"])
        #expect(Amount.one.split(by: [], places: 2).isEmpty)
        property { rng in
            let whole = rng.amount()
            let weights = (0..<rng.int(1...9)).map { _ in rng.amount().magnitude }
            let sum = whole.split(by: weights, places: rng.int(0...20)).reduce(.zero, +)
            try #require(sum == whole)
        }
    }

    @Test("adds, subtracts and multiplies as digits on paper do")
    func exact() {
        property(cases: 2_000, pastFailures: [35_093]) { rng in
            let (a, b) = (rng.amount(), rng.amount())
            let (x, y) = (SchoolbookDecimal(a.description), SchoolbookDecimal(b.description))
            try #require((a + b).description == x.adding(y).text)
            try #require((a - b).description == x.adding(y.negated).text)
            try #require((a * b).description == x.multiplied(by: y).text)
            try #require((a + b) - b == a)
            try #require(-(-a) == a)
            let difference = x.adding(y.negated).text
            try #require((a < b) == difference.hasPrefix("-"))
            try #require((a == b) == (difference == "0"))
        }
    }

    @Test("rounds a quotient to the nearest, and a tie to the even one")
    func nearest() {
        property(cases: 2_000) { rng in
            let (a, b, c) = (rng.amount(), rng.amount(), rng.amount())
            guard !c.isZero else { return }
            let places = rng.int(0...30)
            let quotient = try #require(a.portion(b, of: c, places: places))
            // |a·b - q·c| ≤ |c| · 10^-places / 2, in exact arithmetic.
            let twice = ((a * b - quotient * c) * Amount(units: 2)).magnitude
            let unit = try Amount(parsing: "1e-\(places)")
            try #require(twice <= c.magnitude * unit)
            if twice == c.magnitude * unit {
                let last = quotient.text(places: places).last { $0 != "." }
                try #require(last.flatMap { $0.wholeNumberValue }.map { $0 % 2 == 0 } == true)
            }
        }
    }

    @Test("is read back from its own text")
    func roundTrip() {
        property(cases: 2_000) { rng in
            let amount = rng.amount()
            try #require(try Amount(parsing: amount.description) == amount)
            try #require(Set([amount, try Amount(parsing: amount.text(places: 100))]).count == 1)
        }
    }
}

extension SeededGenerator {
    /// Any amount of 1 to 60 digits, near the ends of 63 and 127 bits more often.
    mutating func amount() -> Amount {
        let ends = [
            "9223372036854775807", "9223372036854775808", "170141183460469231731687303715884105727",
            "170141183460469231731687303715884105728", "18446744073709551615", "18446744073709551616", "0",
            "340282366920938463463374607431768211455", "340282366920938463463374607431768211456", "1",
        ]
        var digits = ""
        if chance(20) {
            digits = pick(ends)
        } else {
            for _ in 0..<int(1...pick([4, 18, 39, 60])) { digits.append(String(int(0...9))) }
        }
        let sign = chance(30) ? "-" : ""
        let places = chance(30) ? 0 : int(0...30)
        return (try? Amount(parsing: "\(sign)\(digits)e-\(places)")) ?? .zero
    }
}
