import JSON
import Support
import Testing
import Web

@testable import GatewayStream

/// Every rule of RFC 6455 for what a client sends, over a socket to a running gateway.
///
/// In the order of the groups of Autobahn's test suite, which needs packages from PyPI and does not know the
/// stream's own bounds. Its echo is our answer to `{"op":"ping","id":…}`.
@Suite("WebSocket frames of every kind", .timeLimit(.minutes(10)))
struct FrameCorpusTests {
    @Test("are answered, echoed or refused as the protocol has it", arguments: FrameCase.groups.keys.sorted())
    func corpus(_ group: String) async throws {
        try await StreamFixture.run { fixture async throws in
            for one in FrameCase.groups[group] ?? [] {
                let told = try await fixture.connect { client in
                    // A server that has heard enough reads no further.
                    for part in one.sent { try? await client.send(raw: part) }
                    return try await Self.read(client, count: one.told.count)
                }
                #expect(told == one.told, "\(group): \(one.name)")
            }
        }
    }

    /// What the server says, and the end of the connection after a close.
    private static func read(_ client: StreamClient, count: Int) async throws -> [FrameCase.FrameOutcome] {
        var told: [FrameCase.FrameOutcome] = []
        while told.count < count {
            switch try await client.next() {
            case .ping: continue
            case .pong(let payload): told.append(.pong(payload))
            case .close(let code, _): told.append(.close(code))
            case .end: told.append(.end)
            case .text(let value):
                guard case .object(let message) = value, message["type"] != .string("heartbeat") else {
                    continue
                }
                if case .string(let id)? = message["id"], message["type"] == .string("pong") {
                    told.append(.echo(id))
                } else {
                    told.append(.refusal)
                }
            }
        }
        return told
    }

    @Test("tell a character that is none at the byte that makes it so")
    func characters() {
        // The bytes at which the rules change.
        let edges: [UInt8] = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
            0xED,
            0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ]
        property(cases: 2_000) { random throws in
            let bytes = (0..<random.int(0...5)).map { _ in random.pick(edges) }
            var check = UTF8Check()
            let isWhole = bytes.allSatisfy { check.take($0) } && check.isBetween
            try #require(isWhole == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
        }
    }

    @Test("tell the same of a text in two parts, wherever it is cut and however much of it is ASCII")
    func parts() {
        property(cases: 2_000) { random throws in
            var bytes = [UInt8](repeating: 0x41, count: random.int(0...40)) + Array(random.text(0...8).utf8)
            bytes += [UInt8](repeating: 0x42, count: random.int(0...40))
            if random.chance(50) { bytes = random.damaged(bytes) }
            let cut = random.int(0...bytes.count)
            var check = UTF8Check()
            let first = bytes[..<cut].withUnsafeBytes { check.take($0) }
            let isWhole = first && bytes[cut...].withUnsafeBytes { check.take($0) } && check.isBetween
            try #require(isWhole == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes) at \(cut)")
        }
    }
}

/// What a client sends, piece by piece, and what it is told.
struct FrameCase: Sendable {
    enum FrameOutcome: Hashable, Sendable {
        /// The answer to a message with this id.
        case echo(String)
        /// A message that meant nothing; the connection goes on.
        case refusal
        case pong([UInt8])
        case close(UInt16?)
        case end
    }

    let name: String
    let sent: [[UInt8]]
    let told: [FrameOutcome]

    private init(_ name: String, _ sent: [[UInt8]], _ told: FrameOutcome...) {
        // After a close nothing comes but the end.
        let isOver = if case .close? = told.last { true } else { false }
        (self.name, self.sent, self.told) = (name, sent, isOver ? told + [.end] : told)
    }

    // MARK: - What is sent

    private static let limit = SocketFrames.limit

    /// A message that is echoed, filled up to a size.
    private static func message(_ id: String = "a", size: Int = 0) -> [UInt8] {
        let text = Array("{\"op\":\"ping\",\"id\":\"\(id)\"}".utf8)
        return text + [UInt8](repeating: 0x20, count: max(0, size - text.count))
    }

    private static func text(_ payload: [UInt8]) -> [UInt8] { StreamClient.frame(0x81, payload) }
    private static func ping(_ payload: [UInt8]) -> [UInt8] { StreamClient.frame(0x89, payload) }
    private static func close(_ code: Int, _ reason: [UInt8] = []) -> [UInt8] {
        StreamClient.frame(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
    }

    /// A message in fragments of so many bytes.
    private static func fragments(_ payload: [UInt8], of size: Int) -> [[UInt8]] {
        let starts = Array(stride(from: 0, to: payload.count, by: size))
        return starts.map { start in
            let end = min(start + size, payload.count)
            let opcode: UInt8 = start == 0 ? 1 : 0
            return StreamClient.frame(opcode | (end == payload.count ? 0x80 : 0), Array(payload[start..<end]))
        }
    }

    /// Bytes as a slow network brings them.
    private static func chopped(_ bytes: [UInt8], of size: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    }

    // MARK: - The groups

    static let groups: [String: [FrameCase]] = [
        "1 framing": framing, "2 pings and pongs": pings, "3 reserved bits": reservedBits,
        "4 opcodes": opcodes, "5 fragments": fragmentation, "6 characters": characters, "7 closing": closing,
        "9 limits": limits,
    ]

    private static let framing =
        [0, 125, 126, 127, 128, 1_000, limit].flatMap { size in
            [
                FrameCase("\(size) bytes", [text(message(size: size))], .echo("a")),
                FrameCase("\(size) bytes in parts", chopped(text(message(size: size)), of: 997), .echo("a")),
            ]
        } + [
            FrameCase("an empty text", [text([]), text(message())], .refusal, .echo("a")),
            FrameCase("a text byte by byte", chopped(text(message()), of: 1), .echo("a")),
            FrameCase("binary", [StreamClient.frame(0x82, [0xFE, 0xFF])], .close(1003)),
            FrameCase("an empty binary", [StreamClient.frame(0x82, [])], .close(1003)),
            FrameCase("not masked", [[0x81, 0x02, 0x7B, 0x7D]], .close(1002)),
        ]

    private static let pings = [
        FrameCase("an empty ping", [ping([])], .pong([])),
        FrameCase("a ping with text", [ping(Array("Hello".utf8))], .pong(Array("Hello".utf8))),
        FrameCase("a ping that is no text", [ping([0x00, 0xFF, 0xFE])], .pong([0x00, 0xFF, 0xFE])),
        FrameCase(
            "125 bytes", [ping([UInt8](repeating: 7, count: 125))], .pong(Array(repeating: 7, count: 125))),
        FrameCase(
            "125 bytes one by one", chopped(ping(Array(repeating: 7, count: 125)), of: 1),
            .pong(Array(repeating: 7, count: 125))),
        FrameCase("126 bytes", [ping([UInt8](repeating: 7, count: 126))], .close(1002)),
        FrameCase("a pong that nobody asked for", [StreamClient.frame(0x8A, []), ping([1])], .pong([1])),
        FrameCase("the same with bytes", [StreamClient.frame(0x8A, [9, 9]), ping([1])], .pong([1])),
        FrameCase("three at once", [ping([1]) + ping([2]) + ping([3])], .pong([1]), .pong([2]), .pong([3])),
        FrameCase(
            "three byte by byte", chopped(ping([1]) + ping([2]) + ping([3]), of: 1), .pong([1]),
            .pong([2]), .pong([3])),
    ]

    private static let reservedBits = (1...7).flatMap { bits in
        [0x81, 0x89, 0x88, 0x01, 0x80].map { (first: Int) in
            FrameCase(
                "bits \(bits) of \(first)",
                [text(message()) + StreamClient.frame(UInt8(first | bits << 4), message())], .echo("a"),
                .close(1002))
        }
    }

    private static let opcodes = ([3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8]).flatMap { opcode in
        [
            FrameCase("opcode \(opcode)", [StreamClient.frame(0x80 | opcode, [])], .close(1002)),
            FrameCase(
                "opcode \(opcode) with bytes after a message",
                [text(message()), StreamClient.frame(0x80 | opcode, [1, 2]), ping([])], .echo("a"),
                .close(1002)),
        ]
    }

    private static let fragmentation: [FrameCase] = {
        let (whole, halves) = (message("é"), fragments(message("é"), of: 10))
        let first = halves[0]
        return [
            FrameCase(
                "a ping in two", [StreamClient.frame(0x09, []), StreamClient.frame(0x80, [])], .close(1002)),
            FrameCase(
                "a pong in two", [StreamClient.frame(0x0A, []), StreamClient.frame(0x80, [])], .close(1002)),
            FrameCase("a close in two", [StreamClient.frame(0x08, [])], .close(1002)),
            FrameCase("a text in some", halves, .echo("é")),
            FrameCase("a text in some at once", [halves.flatMap { $0 }], .echo("é")),
            FrameCase("a text byte by byte", fragments(whole, of: 1), .echo("é")),
            FrameCase("frames byte by byte", chopped(halves.flatMap { $0 }, of: 1), .echo("é")),
            FrameCase("a ping between", [first, ping([1])] + halves.dropFirst(), .pong([1]), .echo("é")),
            FrameCase(
                "a pong between", [first, StreamClient.frame(0x8A, [1])] + halves.dropFirst(), .echo("é")),
            FrameCase(
                "empty fragments",
                [
                    StreamClient.frame(0x01, []), StreamClient.frame(0x00, []),
                    StreamClient.frame(0x80, whole),
                ], .echo("é")),
            FrameCase(
                "all of them empty",
                [
                    StreamClient.frame(0x01, []), StreamClient.frame(0x80, []),
                    text(message()),
                ], .refusal, .echo("a")),
            FrameCase("nothing is continued", [StreamClient.frame(0x80, whole)], .close(1002)),
            FrameCase("nothing is continued, not the last", [StreamClient.frame(0x00, whole)], .close(1002)),
            FrameCase(
                "continued after the end", halves + [StreamClient.frame(0x80, [])], .echo("é"), .close(1002)),
            FrameCase("a text inside a text", [first, text(whole)], .close(1002)),
            FrameCase("a close inside a text", [first, close(1000)], .close(1000)),
        ]
    }()

    private static let characters: [FrameCase] = {
        let said = [
            "κόσμε", "Hello-µ@ßöäüàá-UTF-8!!", "\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}", "\u{FFFE}",
            "\u{D7FF}\u{E000}\u{FFFD}", "𐍈🇩🇪", "日本語", "\u{7F}",
        ]
        let broken: [[UInt8]] = [
            [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xC2, 0x20], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82, 0x20], [0xED, 0xA0, 0x80], [0xED, 0xAF, 0xBF], [0xED, 0xBF, 0xBF],
            [0xF0, 0x80, 0x80, 0xAF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
            [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83, 0xED, 0xA0, 0x80, 0x65],
        ]
        return said.flatMap { id in
            [
                FrameCase("\(id)", [text(message(id))], .echo(id)),
                FrameCase("\(id) in fragments of a byte", fragments(message(id), of: 1), .echo(id)),
                FrameCase("\(id) byte by byte", chopped(text(message(id)), of: 1), .echo(id)),
            ]
        }
            + broken.flatMap { bytes in
                [
                    FrameCase("\(bytes)", [text([0x22] + bytes + [0x22])], .close(1007)),
                    FrameCase(
                        "\(bytes) byte by byte", fragments([0x22] + bytes + [0x22], of: 1), .close(1007)),
                    // Nobody waits for the rest of what is wrong already.
                    FrameCase(
                        "\(bytes), not the last", [StreamClient.frame(0x01, bytes + [0x22])], .close(1007)),
                    FrameCase(
                        "\(bytes), and not the rest of the frame",
                        [Array(text(bytes + message()).prefix(6 + bytes.count + 1))], .close(1007)),
                ]
            } + [
                FrameCase("half of a character", [text([0x22, 0xE2, 0x82])], .close(1007)),
                FrameCase(
                    "half, then a fragment without the rest",
                    [StreamClient.frame(0x01, [0x22, 0xF0, 0x9F]), StreamClient.frame(0x80, [])], .close(1007)
                ),
            ]
    }()

    private static let closing: [FrameCase] =
        [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999].map {
            FrameCase("\($0)", [close($0)], .close(UInt16($0)))
        }
        + [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map {
            FrameCase("\($0), which no one may send", [close($0)], .close(1002))
        } + [
            FrameCase("no number", [StreamClient.frame(0x88, [])], .close(nil)),
            FrameCase("half of a number", [StreamClient.frame(0x88, [3])], .close(1002)),
            FrameCase("a reason", [close(1000, Array("Grüße".utf8))], .close(1000)),
            FrameCase("123 bytes of reason", [close(1000, Array(repeating: 0x2A, count: 123))], .close(1000)),
            FrameCase("124 bytes of reason", [close(1000, Array(repeating: 0x2A, count: 124))], .close(1002)),
            FrameCase(
                "a reason that is no text", [close(1000, [0xCE, 0xBA, 0xED, 0xA0, 0x80])], .close(1007)),
            FrameCase("after a message", [text(message()) + close(1000)], .echo("a"), .close(1000)),
            FrameCase("a second close", [close(1000) + close(1001)], .close(1000)),
            FrameCase("a ping behind it", [close(1000) + ping([1])], .close(1000)),
            FrameCase("a message behind it", [close(1000) + text(message())], .close(1000)),
            FrameCase("frames byte by byte", chopped(close(4_001), of: 1), .close(4_001)),
        ]

    private static let limits: [FrameCase] =
        [64, 256, 1_024, 4_096].flatMap { size in
            [
                FrameCase("fragments of \(size)", fragments(message(size: limit), of: size), .echo("a")),
                FrameCase(
                    "fragments of \(size) past the limit", fragments(message(size: limit + 1), of: size),
                    .close(1009)),
                FrameCase("parts of \(size)", chopped(text(message(size: limit)), of: size), .echo("a")),
            ]
        } + [
            FrameCase("a byte more", [text(message(size: limit + 1))], .close(1009)),
            FrameCase("1 MB", [text(message(size: 1 << 20))], .close(1009)),
            FrameCase(
                "2^63 - 1 bytes", [[0x81, 0xFF, 0x7F] + [UInt8](repeating: 0xFF, count: 7)], .close(1009)),
            FrameCase("2^64 - 1 bytes", [[0x81, 0xFF] + [UInt8](repeating: 0xFF, count: 8)], .close(1009)),
        ]
}
