/// A value of CBOR (RFC 8949), as far as WebAuthn uses it: definite lengths, no tags, no fractions.
indirect enum CBORNode: Hashable {
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case array([CBORNode])
    case map([CBORNode: CBORNode])
    case flag(Bool)
    case null

    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    var map: [CBORNode: CBORNode]? { if case .map(let map) = self { map } else { nil } }
}

/// Reads CBOR of bounded size, depth and number of items.
struct CBORReader {
    /// Bytes.
    static let sizeLimit = 65_536
    /// Levels of nesting.
    static let depthLimit = 8
    /// Elements of an array or a map.
    static let itemLimit = 256

    private let bytes: ArraySlice<UInt8>
    /// The first byte that was not read.
    private(set) var index: Int
    private var items = 0

    /// Begins at the start of a slice.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// The only value of some bytes.
    static func read(_ bytes: [UInt8]) throws(PasskeyFault) -> CBORNode {
        var reader = CBORReader(bytes[...])
        let node = try reader.next()
        guard reader.index == bytes.endIndex else { throw .malformed("bytes after the CBOR value") }
        return node
    }

    /// The next value.
    mutating func next() throws(PasskeyFault) -> CBORNode {
        guard bytes.count <= Self.sizeLimit else { throw .malformed("more than 64 KiB of CBOR") }
        return try value(depth: 0)
    }

    private mutating func value(depth: Int) throws(PasskeyFault) -> CBORNode {
        items += 1
        guard depth < Self.depthLimit, items <= Self.itemLimit else {
            throw .malformed("CBOR that is too deep or has too many values")
        }
        let first = try byte()
        let argument = try argument(first & 0x1F)
        switch first >> 5 {
        case 0: return .integer(try small(argument))
        case 1: return .integer(-1 - (try small(argument)))
        case 2: return .bytes(Array(try take(argument)))
        case 3:
            guard let text = String(validating: try take(argument), as: UTF8.self) else {
                throw .malformed("text in CBOR that is not UTF-8")
            }
            return .text(text)
        case 4: return try array(argument, depth)
        case 5: return try map(argument, depth)
        case 7: return try simple(first & 0x1F)
        default: throw .malformed("a tag in CBOR")
        }
    }

    private mutating func array(_ count: UInt64, _ depth: Int) throws(PasskeyFault) -> CBORNode {
        guard count <= UInt64(Self.itemLimit) else { throw .malformed("a long array in CBOR") }
        var nodes: [CBORNode] = []
        for _ in 0..<count { nodes.append(try value(depth: depth + 1)) }
        return .array(nodes)
    }

    private mutating func map(_ count: UInt64, _ depth: Int) throws(PasskeyFault) -> CBORNode {
        guard count <= UInt64(Self.itemLimit) else { throw .malformed("a long map in CBOR") }
        var map: [CBORNode: CBORNode] = [:]
        for _ in 0..<count {
            let key = try value(depth: depth + 1)
            guard key.integer != nil || key.text != nil else { throw .malformed("a strange key in CBOR") }
            guard map.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
                throw .malformed("a key twice in CBOR")
            }
        }
        return .map(map)
    }

    private func simple(_ code: UInt8) throws(PasskeyFault) -> CBORNode {
        switch code {
        case 20: return .flag(false)
        case 21: return .flag(true)
        case 22: return .null
        default: throw .malformed("a value in CBOR that WebAuthn does not use")
        }
    }

    private func small(_ argument: UInt64) throws(PasskeyFault) -> Int64 {
        guard let number = Int64(exactly: argument), number < .max else {
            throw .malformed("a large number in CBOR")
        }
        return number
    }

    /// What follows in the first byte's low bits, or in 1, 2, 4 or 8 bytes after it.
    private mutating func argument(_ code: UInt8) throws(PasskeyFault) -> UInt64 {
        guard code >= 24 else { return UInt64(code) }
        guard code < 28 else { throw .malformed("an indefinite length in CBOR") }
        return try take(1 << UInt64(code - 24)).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func byte() throws(PasskeyFault) -> UInt8 {
        guard let byte = try take(1).first else { throw .malformed("CBOR that ends early") }
        return byte
    }

    private mutating func take(_ count: UInt64) throws(PasskeyFault) -> ArraySlice<UInt8> {
        guard count <= UInt64(bytes.endIndex - index) else { throw .malformed("CBOR that ends early") }
        defer { index += Int(count) }
        return bytes[index..<index + Int(count)]
    }
}
