import Instruments
import Support
import Testing

@testable import MarketState

@Suite("Wide numbers")
struct Int256Tests {
    /// Decimal digits of a product, by the multiplication that children learn.
    private static func schoolProduct(_ left: UInt128, _ right: UInt128) -> String {
        let a = String(left).reversed().compactMap { $0.wholeNumberValue }
        let b = String(right).reversed().compactMap { $0.wholeNumberValue }
        var digits = [Int](repeating: 0, count: a.count + b.count)
        for (i, x) in a.enumerated() {
            for (j, y) in b.enumerated() { digits[i + j] += x * y }
        }
        for index in digits.indices.dropLast() {
            digits[index + 1] += digits[index] / 10
            digits[index] %= 10
        }
        while digits.count > 1, digits.last == 0 { digits.removeLast() }
        return digits.reversed().map(String.init).joined()
    }

    private static func int128(_ generator: inout SeededGenerator) -> Int128 {
        let wide = Int128(generator.int64()) << 64 | Int128(bitPattern: UInt128(generator.next()))
        return wide >> Int128(generator.int(0...126))
    }

    @Test("prints a product as paper does")
    func product() {
        property { generator in
            let (left, right) = (Self.int128(&generator), Self.int128(&generator))
            let text = WideDecimal(units: Int256(product: left, right), places: 0).description
            let isNegative = (left < 0) != (right < 0) && left != 0 && right != 0
            let expected = Self.schoolProduct(left.magnitude, right.magnitude)
            try #require(text == (isNegative ? "-" : "") + expected)
        }
    }

    @Test("divides so that quotient times divisor plus remainder is the dividend")
    func division() {
        property(cases: 2_000) { generator in
            let quotient = Int128(generator.int64())
            var divisor = Int256(product: Self.int128(&generator), Int128(generator.int64() >> 3))
            if divisor.isZero { divisor = Int256(Int128(7)) }
            var dividend = divisor.multipliedReportingOverflow(by: quotient >> 60)
            try #require(!dividend.overflow)
            let (half, rest) = divisor.quotientAndRemainder(dividingBy: Int256(Int128(3)))
            _ = rest
            let grows = dividend.partialValue.isNegative == half.isNegative
            if grows { dividend = dividend.partialValue.addingReportingOverflow(half) }
            let result = dividend.partialValue.quotientAndRemainder(dividingBy: divisor)
            if grows { try #require(result.remainder == half) }
            if !dividend.partialValue.isZero { try #require(result.quotient == Int256(quotient >> 60)) }
        }
    }

    @Test("adds and takes away again what it added")
    func sums() {
        property { generator in
            let parts = (0..<20).map { _ in
                Int256(product: Self.int128(&generator), Int128(generator.int64()))
            }
            var sum = Int256.zero
            for part in parts { sum += part }
            for part in parts.reversed() { sum -= part }
            try #require(sum == .zero)
        }
    }

    @Test("reports what leaves 256 bits")
    func overflow() {
        let most = Int256(high: .max, low: .max)
        #expect(most.addingReportingOverflow(Int256(Int128(1))).overflow)
        #expect(!most.addingReportingOverflow(Int256(Int128(-1))).overflow)
        #expect(most.multipliedReportingOverflow(by: 2).overflow)
        // On the way the upper half overflows twice, in opposite directions.
        let least = Int256(high: .min, low: 1).addingReportingOverflow(Int256(Int128(-1)))
        #expect(!least.overflow && least.partialValue == Int256(high: .min, low: 0))
        #expect(least.partialValue.addingReportingOverflow(Int256(Int128(-1))).overflow)
        #expect(!Int256(Int128(-5)).multipliedReportingOverflow(by: .max).overflow)
    }

    @Test(
        "rounds a half to the even side",
        arguments: [
            (25, 10, 2), (35, 10, 4), (-25, 10, -2), (-35, 10, -4), (26, 10, 3), (24, 10, 2), (-26, 10, -3),
            (7, 7, 1), (0, 3, 0),
        ])
    func rounding(numerator: Int64, denominator: Int64, expected: Int64) {
        #expect(
            Int256(numerator).dividedRoundingHalfEven(by: Int256(denominator)) == Int256(expected))
    }

    @Test(
        "reads decimals of up to 38 digits and leaves padding out",
        arguments: [
            ("0", "0"), ("61800.30", "61800.3"), ("9.121E-7", "0.0000009121"), ("1e3", "1000"),
            ("100", "100"), ("0.000", "0"), ("-12.50", "-12.5"), ("007", "7"),
            ("12345678901234567890.123456789012345678", "12345678901234567890.123456789012345678"),
            ("1.00000000000000000000000000000000000000000", "1"),
        ])
    func wideNumbers(text: String, plain: String) throws {
        let number = try Array(text.utf8).withUnsafeBytes { try WideNumber(parsing: $0) }
        #expect(WideDecimal(units: Int256(number.units), places: number.places).description == plain)
    }

    @Test(
        "refuses what is no number",
        arguments: ["", "-", ".5", "5.", "1e", "1.2.3", "0x1", "1 ", "NaN", "+1"])
    func refused(text: String) {
        #expect(throws: DecimalError.self) {
            try Array(text.utf8).withUnsafeBytes { try WideNumber(parsing: $0) }
        }
    }

    @Test("refuses more than 38 digits")
    func tooLong() {
        let text = Array(String(repeating: "9", count: 39).utf8)
        #expect(throws: DecimalError.overflow) { try text.withUnsafeBytes { try WideNumber(parsing: $0) } }
    }
}
