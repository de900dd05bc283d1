import Instruments
import Support
import Testing

@Suite("Decimal number")
struct DecimalNumberTests {
    @Test("is written and read back without a difference")
    func roundTrip() {
        property(cases: 1_000) { rng in
            // The one Int64 whose digits are beyond Int64.max cannot be read back.
            let units = max(rng.int64(), -.max)
            let number = DecimalNumber(units: units, scale: rng.scale())
            let text = number.description
            let parsed = try DecimalNumber(parsing: text)
            try #require(parsed == number, "\(text)")
        }
    }

    @Test(
        "changes its scale exactly or says why not",
        arguments: [
            ("1.50", 1, "1.5", nil), ("1.50", 4, "1.5000", nil), ("1.50", 2, "1.50", nil),
            ("-1.50", 1, "-1.5", nil),
            ("1.50", 0, nil, .inexact), ("-0.01", 1, nil, .inexact), ("0.00", 0, "0", nil),
            ("9223372036854775807", 1, nil, .overflow),
            ("922337203685477580", 1, "922337203685477580.0", nil),
            ("1", 18, "1.000000000000000000", nil), ("9", 18, "9.000000000000000000", nil),
            ("10", 18, nil, .overflow), ("-10", 18, nil, .overflow),
        ] as [(String, Int, String?, DecimalError?)])
    func rescaling(text: String, places: Int, expected: String?, error: DecimalError?) throws {
        let number = try DecimalNumber(parsing: text)
        let scale = try #require(Scale(places))
        let result = Result { () throws(DecimalError) in try number.rescaled(to: scale).description }
        #expect(result == (error.map { .failure($0) } ?? .success(expected ?? "")))
    }

    @Test("rescales the smallest Int64 without a trap")
    func rescalingTheSmallest() throws {
        let number = DecimalNumber(units: .min, scale: try #require(Scale(3)))
        #expect(throws: DecimalError.inexact) { try number.rescaled(to: .zero) }
        #expect(throws: DecimalError.overflow) { try number.rescaled(to: .maximum) }
        #expect(number.normalized == number)
    }

    @Test("rescales as writing or striking out zeros does")
    func rescalingModel() {
        property(cases: 1_000) { rng in
            let number = DecimalNumber(units: rng.int64(), scale: rng.scale())
            let target = rng.scale()
            let result = Result { () throws(DecimalError) in try number.rescaled(to: target) }
            let expected = rescaledModel(number, to: target)
            try #require(result == expected, "\(number) to \(target.places) places")
        }
    }

    @Test("orders and compares as aligned texts do")
    func comparing() {
        property(cases: 2_000) { rng in
            let left = DecimalNumber(units: rng.int64(), scale: rng.scale())
            var right = DecimalNumber(units: rng.int64(), scale: rng.scale())
            // Equal values at other scales are too rare to be met by chance.
            if rng.chance(30), let same = try? left.normalized.rescaled(to: rng.scale()) { right = same }
            let order = compareModel(left, right)
            try #require(left.isEqual(to: right) == (order == 0), "\(left) and \(right)")
            try #require(
                (left < right) == (order == 0 ? left.scale < right.scale : order < 0), "\(left) and \(right)")
            let both = left < right && right < left
            try #require(
                !both && ((left == right) == (!(left < right) && !(right < left))), "\(left) and \(right)")
        }
    }

    @Test(
        "loses its trailing zeros and nothing else",
        arguments: [
            ("1.500", "1.5"), ("100", "100"), ("0.000", "0"), ("-2.0", "-2"), ("-0.010", "-0.01"), ("7", "7"),
        ])
    func normalizing(text: String, expected: String) throws {
        #expect(try DecimalNumber(parsing: text).normalized.description == expected)
    }

    @Test("differs from the same value at another scale, and is equal to it")
    func representation() throws {
        let short = try DecimalNumber(parsing: "1.5")
        let long = try DecimalNumber(parsing: "1.50")
        #expect(short != long)
        #expect(short.isEqual(to: long))
        #expect(short < long)
        #expect(Set([short, long]).count == 2)
    }

    private func rescaledModel(_ number: DecimalNumber, to target: Scale) -> Result<
        DecimalNumber, DecimalError
    > {
        var text = "\(number.units)"
        for _ in number.scale.places..<max(number.scale.places, target.places) { text += "0" }
        for _ in target.places..<max(number.scale.places, target.places) where text != "0" {
            guard text.hasSuffix("0") else { return .failure(.inexact) }
            text.removeLast()
        }
        // A zero stays one however many zeros are written behind it.
        guard let units = number.units == 0 ? 0 : Int64(text) else { return .failure(.overflow) }
        return .success(DecimalNumber(units: units, scale: target))
    }

    /// Compares as digits of one length with 18 places: -1, 0 or 1.
    private func compareModel(_ left: DecimalNumber, _ right: DecimalNumber) -> Int {
        func aligned(_ number: DecimalNumber) -> String {
            let digits = "\(number.units.magnitude)" + String(repeating: "0", count: 18 - number.scale.places)
            return String(repeating: "0", count: 40 - digits.count) + digits
        }
        func sign(_ number: DecimalNumber) -> Int64 { number.units.signum() }
        if sign(left) != sign(right) { return sign(left) < sign(right) ? -1 : 1 }
        if aligned(left) == aligned(right) { return 0 }
        return (aligned(left) < aligned(right)) == (sign(left) > 0) ? -1 : 1
    }
}
