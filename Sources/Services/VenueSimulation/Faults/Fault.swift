/// A kind of fault with how often it happens, written `KIND` or `KIND:RATE`.
package struct Fault: Hashable, Sendable {
    /// A millionth.
    package static let whole = 1_000_000

    package let kind: FaultKind
    /// In a million messages, requests or images, 1...1,000,000.
    package let rate: Int

    /// A fault with its usual rate, or this one.
    ///
    /// - Precondition: `rate` is in 1...1,000,000.
    package init(_ kind: FaultKind, rate: Int? = nil) {
        let rate = rate ?? kind.usualRate
        precondition((1...Self.whole).contains(rate), "a rate of \(rate) in a million")
        self.kind = kind
        self.rate = rate
    }

    /// What a configuration may say.
    package static let accepted =
        "one of \(FaultKind.words), each with :RATE behind it or without, a share above 0 and up to 1 "
        + "of at most six decimal places"
}

extension Fault: LosslessStringConvertible {
    /// Reads `drop` or `drop:0.001`; `nil` for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let word = parts.first, let kind = FaultKind(rawValue: String(word)) else { return nil }
        guard parts.count == 2 else {
            self.init(kind)
            return
        }
        guard let rate = Self.millionths(parts[1]) else { return nil }
        self.init(kind, rate: rate)
    }

    /// As it is written in a configuration.
    package var description: String {
        guard rate < Self.whole else { return "\(kind.rawValue):1" }
        var digits = String(String(Self.whole + rate).dropFirst())
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(kind.rawValue):0.\(digits)"
    }

    private static func millionths(_ text: Substring) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let places = parts.count == 2 ? parts[1] : ""
        guard let whole = parts.first, !whole.isEmpty, whole.count <= 1, places.count <= 6,
            parts.count == 1 || !places.isEmpty,
            (whole + places).utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        let padded = places + String(repeating: "0", count: 6 - places.count)
        guard let units = Int(whole), let millionths = Int(padded) else { return nil }
        let rate = units * Fault.whole + millionths
        return (1...Fault.whole).contains(rate) ? rate : nil
    }
}
