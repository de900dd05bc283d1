import Instruments

/// The path and the query of a request, behind the venue's prefix.
struct RequestAddress: Hashable, Sendable {
    /// Begins with a slash unless it is empty; not unescaped.
    var path: String
    /// Names and unescaped values, in order.
    var query: [Parameter]
    /// What was posted; `nil` of a GET.
    var posted: [UInt8]?

    /// A name and its value.
    struct Parameter: Hashable, Sendable {
        var name: String
        var value: String
    }

    /// Splits a path from its query.
    init(_ text: some StringProtocol) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "")
        while path.hasSuffix("/") { path.removeLast() }
        query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Parameter(
                name: String(halves[0]), value: halves.count > 1 ? RequestAddress.unescape(halves[1]) : "")
        }
    }

    /// Takes a whole URL, of which scheme and host are left out.
    init(url: String) {
        let bytes = Array(url.utf8)
        var start = 0
        if let scheme = bytes.indices.first(where: { bytes[$0...].starts(with: "://".utf8) }) {
            start = scheme + 3
        }
        let slash = bytes[start...].firstIndex(of: 0x2F) ?? bytes.endIndex
        self.init(String(decoding: bytes[slash...], as: UTF8.self))
    }

    subscript(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// A whole number; `nil` when it is missing or none.
    func integer(_ name: String) -> Int64? { self[name].flatMap { Int64($0) } }

    /// The first part of the path and an address of the rest: `/bitmex/realtime` is `bitmex` and `/realtime`.
    var prefixed: (prefix: String, rest: RequestAddress)? {
        guard path.hasPrefix("/") else { return nil }
        let inner = path.dropFirst()
        let prefix = inner.prefix { $0 != "/" }
        guard !prefix.isEmpty else { return nil }
        var rest = self
        rest.path = String(inner.dropFirst(prefix.count))
        return (String(prefix), rest)
    }

    /// Undoes percent-escapes; a plus is a blank.
    static func unescape(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        let source = Array(text.utf8)
        var index = 0
        while index < source.count {
            let pair = source[index...].prefix(3).dropFirst()
            if source[index] == 0x25, pair.count == 2, let byte = hex(pair) {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(source[index] == 0x2B ? 0x20 : source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hex(_ digits: some Sequence<UInt8>) -> UInt8? {
        var value: UInt8 = 0
        for digit in digits {
            switch digit {
            case 0x30...0x39: value = value << 4 | (digit - 0x30)
            case 0x41...0x46: value = value << 4 | (digit - 0x37)
            case 0x61...0x66: value = value << 4 | (digit - 0x57)
            default: return nil
            }
        }
        return value
    }
}
