/// The name of a rule: 1...128 bytes of text without control characters, unique in its engine.
///
/// A canonical UUID is kept as its 16 bytes, so that a million of them cost no million strings.
public struct RuleID: Hashable, Sendable {
    private enum Storage: Hashable, Sendable {
        case uuid(UInt64, UInt64)
        case text(String)
    }

    private let storage: Storage

    /// Takes a text; `nil` when it is empty, longer than 128 bytes or has control characters.
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 128, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return nil }
        storage = RuleID.uuid(text).map { .uuid($0.0, $0.1) } ?? .text(text)
    }

    /// Takes the 16 bytes of a UUID, the most significant first.
    public init(uuid high: UInt64, _ low: UInt64) { storage = .uuid(high, low) }

    /// The two halves of a text in the canonical form of lower case, `nil` for any other.
    private static func uuid(_ text: String) -> (UInt64, UInt64)? {
        guard text.utf8.count == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (index, byte) in text.utf8.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == 0x2D else { return nil }
                continue
            }
            let digit: UInt64
            switch byte {
            case 0x30...0x39: digit = UInt64(byte) - 0x30
            case 0x61...0x66: digit = UInt64(byte) - 0x61 + 10
            default: return nil
            }
            if digits < 16 { halves.0 = halves.0 << 4 | digit } else { halves.1 = halves.1 << 4 | digit }
            digits += 1
        }
        return halves
    }
}

extension RuleID: CustomStringConvertible {
    public var description: String {
        guard case .uuid(let high, let low) = storage else {
            guard case .text(let text) = storage else { return "" }
            return text
        }
        var text = ""
        text.reserveCapacity(36)
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 { text += "-" }
            let half = place < 16 ? high : low
            text += String(half >> UInt64(60 - place % 16 * 4) & 15, radix: 16)
        }
        return text
    }
}

extension RuleID: Comparable {
    /// Orders by the bytes of the text.
    public static func < (left: RuleID, right: RuleID) -> Bool {
        switch (left.storage, right.storage) {
        case (.uuid(let a, let b), .uuid(let c, let d)): a == c ? b < d : a < c
        default: left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
        }
    }
}
