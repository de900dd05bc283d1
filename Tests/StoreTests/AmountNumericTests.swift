import Instruments
import Support
import Testing

@testable import Store

@Suite("Amounts as NUMERIC")
struct AmountNumericTests {
    private static func bytes(_ value: some SQLValue) -> [UInt8] {
        var bytes: [UInt8] = []
        value.write(to: &bytes)
        return bytes
    }

    @Test("travel as their text does, and come back equal from any number of places")
    func sameAsText() {
        property { generator in
            func digits(_ count: Int) -> String {
                (0..<count).map { _ in generator.chance(40) ? "0" : "\(generator.int(0...9))" }.joined()
            }
            let isLong = generator.chance(20)
            let (whole, fraction) = (
                digits(generator.int(1...(isLong ? 100 : 20))), digits(generator.int(0...(isLong ? 100 : 18)))
            )
            let text = (generator.chance(50) ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
            let amount = try Amount(parsing: text)
            let plain = try #require(Numeric(amount.description))
            try #require(Self.bytes(amount) == Self.bytes(plain), "\(text)")
            let padded = Self.bytes(try #require(Numeric(text)))
            let read = padded.withUnsafeBytes { Amount(binary: $0) }
            try #require(read == amount && read?.description == amount.description, "\(text)")
        }
    }

    @Test("arbitrary bytes give an amount where they give a number")
    func arbitraryBytes() {
        property { generator in
            let bytes = (0..<generator.int(0...24)).map { _ in UInt8(generator.int(0...255)) }
            let amount = bytes.withUnsafeBytes { Amount(binary: $0) }
            let number = bytes.withUnsafeBytes { Numeric(binary: $0) }
            try #require(amount == nil || number != nil)
        }
    }
}
