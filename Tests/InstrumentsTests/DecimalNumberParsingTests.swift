import Instruments
import Support
import Testing

@Suite("Parsing a decimal number")
struct DecimalNumberParsingTests {
    @Test(
        "keeps every digit and trailing zero",
        arguments: [
            ("0", 0, 0), ("-0", 0, 0), ("7", 7, 0), ("-12.50", -1_250, 2), ("0.00001814", 1_814, 8),
            ("007.10", 710, 2), ("100.0", 1_000, 1), ("1e0", 1, 0), ("12E2", 1_200, 0), ("12e+2", 1_200, 0),
            ("9.121E-7", 9_121, 10), ("1.50e1", 150, 1), ("1.5e3", 1_500, 0), ("-1e-18", -1, 18),
            ("10e-19", 1, 18), ("0.1200e-16", 12, 18), ("0e999", 0, 0), ("0e-999", 0, 18),
            ("0.00000000000000000000", 0, 18), ("0.000000000000000001", 1, 18),
            ("9223372036854775807", .max, 0),
            ("-9223372036854775807", -.max, 0), ("9.223372036854775807", .max, 18),
            ("0009223372036854775807", .max, 0), ("922337203685477580.7e1", .max, 0),
            ("1.0000000000000000000000", nil, 0), ("1234567890123456789", 1_234_567_890_123_456_789, 0),
        ] as [(String, Int64?, Int)])
    func values(text: String, units: Int64?, places: Int) throws {
        guard let units else {
            // Its digits alone are more than an Int64 holds, whatever they are worth.
            #expect(throws: DecimalError.overflow) { try DecimalNumber(parsing: text) }
            return
        }
        let expected = DecimalNumber(units: units, scale: try #require(Scale(places)))
        #expect(try DecimalNumber(parsing: text) == expected)
    }

    @Test(
        "names the first byte that does not fit",
        arguments: [
            ("", 0), ("-", 1), ("+1", 0), (".5", 0), ("-.5", 1), ("1.", 2), ("1.e5", 2), ("--1", 1),
            ("1-", 1),
            ("1e", 2), ("1e+", 3), ("1e-", 3), ("1e5.0", 3), ("1e5 ", 3), ("e5", 0), ("1.2.3", 3), (" 1", 0),
            ("1 ", 1), ("1,5", 1), ("0x10", 1), ("nan", 0), ("Infinity", 0), ("1_000", 1), ("١", 0),
            ("1\u{0}", 1),
            ("-e1", 1), ("1E5e", 3), ("1f", 1),
        ])
    func malformed(text: String, offset: Int) {
        #expect(throws: DecimalError.malformed(offset: offset)) { try DecimalNumber(parsing: text) }
    }

    @Test(
        "reports what does not fit",
        arguments: [
            "9223372036854775808", "-9223372036854775808", "10000000000000000000",
            "99999999999999999999999999",
            "9.2233720368547758070", "1e19", "1e400", "1e1000", "1e1001", "1e99999999999999999999999",
            "1e-19",
            "0.0000000000000000001", "1.5e-18", "-1e-400", "922337203685477580.8e1",
        ])
    func overflow(text: String) {
        #expect(throws: DecimalError.overflow) { try DecimalNumber(parsing: text) }
    }

    @Test("gives what a model made of texts gives")
    func model() {
        property(cases: 2_000) { rng in
            let whole = digits(rng.int(1...12), &rng)
            let fraction = rng.chance(70) ? digits(rng.int(1...12), &rng) : ""
            let exponent = rng.chance(50) ? rng.int(-25...25) : nil
            let sign = rng.chance(50) ? "-" : ""
            var text = sign + whole + (fraction.isEmpty ? "" : "." + fraction)
            if let exponent {
                text += rng.pick(["e", "E"]) + (exponent >= 0 ? rng.pick(["", "+"]) : "") + "\(exponent)"
            }
            let expected = modelled(sign + whole + fraction, places: fraction.count - (exponent ?? 0))
            let parsed = Result { () throws(DecimalError) in try DecimalNumber(parsing: text) }
            try #require(parsed == expected, "\(text)")
        }
    }

    @Test("reads the same from bytes as from text")
    func bytes() {
        property { rng in
            let text = String((0..<rng.int(0...12)).map { _ in rng.pick(Array("0123456789.eE+-x")) })
            let fromText = Result { () throws(DecimalError) in try DecimalNumber(parsing: text) }
            let fromBytes = Array(text.utf8).withUnsafeBytes { bytes in
                Result { () throws(DecimalError) in try DecimalNumber(parsing: bytes) }
            }
            try #require(fromText == fromBytes, "\(text)")
        }
    }

    @Test("never traps on arbitrary bytes")
    func arbitraryBytes() {
        property(cases: 2_000) { rng in
            var bytes = Array(
                rng.pick(["-12.50", "9.121E-7", "1e400", "0.000000000000000001", "9223372036854775807"]).utf8)
            for _ in 0..<rng.int(1...4) { bytes = rng.damaged(bytes) }
            _ = bytes.withUnsafeBytes { try? DecimalNumber(parsing: $0) }
        }
    }

    private func digits(_ count: Int, _ rng: inout SeededGenerator) -> String {
        String((0..<count).map { _ in rng.chance(30) ? "0" : rng.pick(Array("0123456789")) })
    }

    /// Moves the point by writing or striking out zeros.
    private func modelled(_ text: String, places: Int) -> Result<DecimalNumber, DecimalError> {
        guard var units = Int64(text) else { return .failure(.overflow) }
        var places = places
        if units == 0 { places = min(max(places, 0), 18) }
        while places > 18 {
            guard "\(units)".hasSuffix("0"), let shorter = Int64("\(units)".dropLast()) else {
                return .failure(.overflow)
            }
            units = shorter
            places -= 1
        }
        while places < 0 {
            guard let longer = Int64("\(units)0") else { return .failure(.overflow) }
            units = longer
            places += 1
        }
        guard let scale = Scale(places) else { return .failure(.overflow) }
        return .success(DecimalNumber(units: units, scale: scale))
    }
}
