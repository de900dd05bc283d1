import Instruments
import Support
import Testing

@Suite("Decimal text")
struct DecimalTextTests {
    @Test(
        "has as many places as the scale",
        arguments: [
            (0, 0, "0"), (0, 3, "0.000"), (5, 0, "5"), (5, 1, "0.5"), (5, 2, "0.05"), (-5, 2, "-0.05"),
            (1_250, 2, "12.50"), (-1_250, 2, "-12.50"), (100, 2, "1.00"), (1, 18, "0.000000000000000001"),
            (.max, 0, "9223372036854775807"), (.max, 18, "9.223372036854775807"),
            (.min, 0, "-9223372036854775808"), (.min, 18, "-9.223372036854775808"),
            (.min, 17, "-92.23372036854775808"), (-1, 18, "-0.000000000000000001"),
        ] as [(Int64, Int, String)])
    func texts(units: Int64, places: Int, expected: String) throws {
        let scale = try #require(Scale(places))
        #expect(DecimalText.string(units: units, scale: scale) == expected)
        #expect(Price(units).text(scale) == expected)
        #expect(Quantity(units).text(scale) == expected)
        #expect(DecimalNumber(units: units, scale: scale).description == expected)
    }

    @Test("is appended as the same bytes, after what is there")
    func appending() {
        property { rng in
            let units = rng.int64()
            let scale = rng.scale()
            var bytes: [UInt8] = [0x5B]
            DecimalText.append(units: units, scale: scale, to: &bytes)
            let expected = Array("[\(DecimalText.string(units: units, scale: scale))".utf8)
            try #require(bytes == expected)
        }
    }

    @Test("puts the point where a model puts it")
    func model() {
        property(cases: 1_000) { rng in
            let units = rng.int64()
            let scale = rng.scale()
            var digits = "\(units.magnitude)"
            while digits.count <= scale.places { digits = "0" + digits }
            var expected = String(digits.dropLast(scale.places))
            if scale > .zero { expected += "." + digits.suffix(scale.places) }
            if units < 0 { expected = "-" + expected }
            let text = DecimalText.string(units: units, scale: scale)
            try #require(text == expected)
        }
    }
}
