import Encodings

/// What the browser says about the ceremony (WebAuthn Level 3, 5.8.1), read from its JSON.
struct ClientData {
    private(set) var type: String?
    private(set) var challenge: String?
    private(set) var origin: String?
    private(set) var isCrossOrigin = false

    private let bytes: [UInt8]
    private var index = 0

    /// Reads an object of at most 8 KiB; members that are not known are passed over.
    init(_ bytes: [UInt8]) throws(PasskeyFault) {
        self.bytes = bytes
        guard bytes.count <= 8_192 else { throw .malformed("more than 8 KiB of client data") }
        try expect(0x7B)
        var names: Set<String> = []
        while peek() != 0x7D {
            if !names.isEmpty { try expect(0x2C) }
            _ = peek()
            let name = try text()
            guard names.insert(name).inserted else { throw .malformed("a member twice in its client data") }
            try expect(0x3A)
            try member(name)
        }
        index += 1
        guard peek() == nil else { throw .malformed("bytes after its client data") }
    }

    private mutating func member(_ name: String) throws(PasskeyFault) {
        let next = peek()
        switch name {
        case "type": type = try text()
        case "challenge": challenge = try text()
        case "origin": origin = try text()
        case "crossOrigin":
            isCrossOrigin = next == 0x74
            guard next == 0x74 || next == 0x66 else { throw .malformed("a crossOrigin that is no boolean") }
            try skip(depth: 0)
        default: try skip(depth: 0)
        }
    }

    /// Passes over any value.
    private mutating func skip(depth: Int) throws(PasskeyFault) {
        guard depth < 8 else { throw .malformed("client data that is too deep") }
        switch peek() {
        case 0x22: _ = try text()
        case 0x7B, 0x5B:
            let isObject = peek() == 0x7B
            let end: UInt8 = isObject ? 0x7D : 0x5D
            index += 1
            var isFirst = true
            while peek() != end {
                if !isFirst { try expect(0x2C) }
                isFirst = false
                if isObject {
                    _ = peek()
                    _ = try text()
                    try expect(0x3A)
                }
                try skip(depth: depth + 1)
            }
            index += 1
        default:
            let start = index
            while index < bytes.count, isWord(bytes[index]) { index += 1 }
            guard index > start else { throw .malformed("client data that is no JSON") }
        }
    }

    private func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == 0x2B || byte == 0x2D || byte == 0x2E
    }

    private mutating func text() throws(PasskeyFault) -> String {
        try expect(0x22)
        var text: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case 0x22:
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw .malformed("client data that is not UTF-8")
                }
                return string
            case 0x5C: text.append(try escaped())
            case 0x00..<0x20: throw .malformed("a control character in its client data")
            default: text.append(byte)
            }
        }
        throw .malformed("client data that ends early")
    }

    /// The byte of an escape.
    ///
    /// Browsers escape `"` and `\`, and control characters as `\u00..`; what is compared
    /// with them never has another.
    private mutating func escaped() throws(PasskeyFault) -> UInt8 {
        guard index < bytes.count else { throw .malformed("client data that ends early") }
        defer { index += 1 }
        switch bytes[index] {
        case 0x22, 0x5C, 0x2F: return bytes[index]
        case 0x75:
            guard bytes.count - index > 4,
                let digits = Hexadecimal.bytes(
                    String(decoding: bytes[index + 1...index + 4], as: UTF8.self).lowercased()),
                digits[0] == 0, digits[1] < 0x80
            else { throw .malformed("an escape in its client data that is not ASCII") }
            index += 4
            return digits[1]
        default: return 0x20
        }
    }

    private mutating func expect(_ byte: UInt8) throws(PasskeyFault) {
        guard peek() == byte else { throw .malformed("client data that is no JSON object") }
        index += 1
    }

    private mutating func peek() -> UInt8? {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
        return index < bytes.count ? bytes[index] : nil
    }
}
