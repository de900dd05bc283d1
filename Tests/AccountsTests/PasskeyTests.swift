import Crypto
import Encodings
import Support
import Testing

@testable import Accounts

/// An authenticator that does as it is told; the independent one is python's, in the tests of the gateway.
private struct TestDevice {
    var site = "bitpal.example"
    var origin = "https://bitpal.example"
    var flags: UInt8 = 0x05
    var counter: UInt32 = 1
    let elliptic = P256.Signing.PrivateKey()
    let edwards = Curve25519.Signing.PrivateKey()
    var usesEdwards = false

    var key: [UInt8] {
        if usesEdwards {
            return [0xA4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 32] + Array(edwards.publicKey.rawRepresentation)
        }
        let point = Array(elliptic.publicKey.rawRepresentation)
        return [0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32] + point[..<32] + [0x22, 0x58, 32] + point[32...]
    }

    func data(isNew: Bool) -> [UInt8] {
        let count = (0..<4).map { UInt8(truncatingIfNeeded: counter >> (24 - 8 * $0)) }
        let head = Array(SHA256.hash(data: Array(site.utf8))) + [flags | (isNew ? 0x40 : 0)] + count
        return isNew ? head + [UInt8](repeating: 0, count: 16) + [0, 4, 9, 8, 7, 6] + key : head
    }

    func client(_ type: String, _ challenge: [UInt8], more: String = "") -> [UInt8] {
        let challenge = Base64URL.text(challenge)
        return Array(
            #"{"type":"\#(type)","challenge":"\#(challenge)","origin":"\#(origin)","crossOrigin":false\#(more)}"#
                .utf8)
    }

    func sign(_ bytes: [UInt8]) throws -> [UInt8] {
        usesEdwards
            ? Array(try edwards.signature(for: bytes))
            : Array(try elliptic.signature(for: bytes).derRepresentation)
    }

    func attestation(_ client: [UInt8], packed: Bool = false) throws -> [UInt8] {
        let data = data(isNew: true)
        let signed = try sign(data + SHA256.hash(data: client))
        let statement: [UInt8] =
            packed
            ? [0xA2, 0x63] + Array("alg".utf8) + [usesEdwards ? 0x27 : 0x26, 0x63] + Array("sig".utf8)
                + [0x58, UInt8(signed.count)] + signed : [0xA0]
        return [0xA3, 0x63] + Array("fmt".utf8)
            + (packed ? [0x66] + Array("packed".utf8) : [0x64] + Array("none".utf8))
            + [0x67] + Array("attStmt".utf8) + statement
            + [0x68] + Array("authData".utf8) + [0x58, UInt8(data.count)] + data
    }
}

@Suite("Passkeys")
struct PasskeyTests {
    private static let challenge = [UInt8](1...32)
    fileprivate static let ceremony = PasskeyCeremony(
        site: "bitpal.example", origins: ["https://bitpal.example"], challenge: challenge)

    private func assert(
        _ device: TestDevice, _ ceremony: PasskeyCeremony = PasskeyTests.ceremony,
        after counter: UInt32 = 0, type: String = "webauthn.get"
    ) throws -> UInt32 {
        let (client, data) = (device.client(type, Self.challenge), device.data(isNew: false))
        return try ceremony.assertion(
            clientData: client, authenticatorData: data,
            signature: try device.sign(data + SHA256.hash(data: client)),
            by: try PasskeyPublicKey(cose: device.key), after: counter)
    }

    @Test(
        "are registered and sign in, with either algorithm and statement", arguments: [false, true],
        [false, true])
    func roundTrip(edwards: Bool, packed: Bool) throws {
        let device = TestDevice(usesEdwards: edwards)
        let client = device.client("webauthn.create", Self.challenge, more: #","topOrigin":{"a":[1,"\"}"]}"#)
        let made = try Self.ceremony.registration(
            clientData: client, attestation: try device.attestation(client, packed: packed))
        #expect(made.id == [9, 8, 7, 6] && made.counter == 1 && made.key.cose == device.key)
        #expect(made.key.algorithm == (edwards ? -8 : -7) && !made.canBeBackedUp)
        var later = device
        later.counter = 2
        #expect(try assert(later, after: made.counter) == 2)
        #expect(try PasskeyCeremony.challenge(in: client) == Self.challenge)
    }

    @Test("are refused for another question")
    func mismatches() throws {
        var other = TestDevice()
        other.origin = "https://bitpal.example.evil.org"
        #expect(throws: PasskeyFault.mismatched("origin")) { try assert(other) }
        other = TestDevice()
        other.site = "evil.org"
        #expect(throws: PasskeyFault.mismatched("site")) { try assert(other) }
        var ceremony = Self.ceremony
        ceremony.challenge = [1]
        #expect(throws: PasskeyFault.mismatched("challenge")) { try assert(TestDevice(), ceremony) }
        #expect(throws: PasskeyFault.mismatched("kind of question")) {
            try assert(TestDevice(), type: "webauthn.create")
        }
        other = TestDevice()
        other.flags = 0x01
        #expect(throws: PasskeyFault.unverified("verified")) { try assert(other) }
        ceremony = Self.ceremony
        ceremony.needsVerification = false
        #expect(try assert(other, ceremony) == 1)
        other.flags = 0x04
        #expect(throws: PasskeyFault.unverified("present")) { try assert(other, ceremony) }
    }

    @Test("are refused when their counter stands still, and taken when they never count")
    func counter() throws {
        var device = TestDevice()
        device.counter = 7
        #expect(try assert(device, after: 6) == 7)
        for counter in [7, 8] as [UInt32] {
            #expect(throws: PasskeyFault.copied) { try assert(device, after: counter) }
        }
        device.counter = 0
        #expect(try assert(device, after: 0) == 0)
        #expect(throws: PasskeyFault.copied) { try assert(device, after: 1) }
    }

    @Test("are refused for any bit that was changed")
    func signature() throws {
        for edwards in [false, true] {
            let device = TestDevice(usesEdwards: edwards)
            let client = device.client("webauthn.get", Self.challenge)
            let data = device.data(isNew: false)
            let signature = try device.sign(data + SHA256.hash(data: client))
            let key = try PasskeyPublicKey(cose: device.key)
            property { generator in
                var parts = [client, data, signature]
                let part = generator.int(0...2)
                let place = generator.int(0...parts[part].count - 1)
                parts[part][place] ^= 1 << UInt8(generator.int(0...7))
                #expect(throws: PasskeyFault.self) {
                    try Self.ceremony.assertion(
                        clientData: parts[0], authenticatorData: parts[1], signature: parts[2], by: key,
                        after: 0)
                }
            }
        }
    }

    @Test("read any bytes without harm")
    func fuzz() throws {
        let device = TestDevice()
        let client = device.client("webauthn.create", Self.challenge)
        let attestation = try device.attestation(client, packed: true)
        property(cases: 2_000) { generator in
            var bytes = attestation
            for _ in 0...generator.int(0...4) {
                let place = generator.int(0...bytes.count - 1)
                switch generator.int(0...2) {
                case 0: bytes[place] = UInt8(generator.int(0...255))
                case 1: bytes.removeLast(min(generator.int(1...40), bytes.count - 1))
                default: bytes.insert(UInt8(generator.int(0...255)), at: place)
                }
            }
            guard bytes != attestation else { return }
            // It may still be the same in its meaning, never something else.
            let made = try? Self.ceremony.registration(clientData: client, attestation: bytes)
            try #require(made == nil || made?.key.cose == device.key)
        }
    }

    @Test("read CBOR within bounds")
    func cbor() throws {
        #expect(try CBORReader.read([0x18, 0x64]) == .integer(100))
        #expect(try CBORReader.read([0x39, 0x01, 0x00]) == .integer(-257))
        #expect(try CBORReader.read([0x82, 0x61, 0x61, 0xF5]) == .array([.text("a"), .flag(true)]))
        let wrong: [[UInt8]] = [
            [], [0x18], [0x5F, 0x41, 1, 0xFF], [0x9B, 255, 255, 255, 255, 255, 255, 255, 255], [0xC0, 0x00],
            [0xA2, 1, 1, 1, 2], [0xA1, 0x40, 0], [0x00, 0x00], [0x61, 0xFF], [0xF9, 0, 0], [0x3B] + [255] * 8,
            [UInt8](repeating: 0x81, count: 9) + [0], [0x5B, 127, 255, 255, 255, 255, 255, 255, 255],
        ]
        for bytes in wrong { #expect(throws: PasskeyFault.self, "\(bytes)") { try CBORReader.read(bytes) } }
    }

    @Test("take no key but those two kinds")
    func keys() throws {
        var point = TestDevice().key
        point[10] ^= 1
        // No point of the curve has this pair.
        #expect(throws: PasskeyFault.self) { try PasskeyPublicKey(cose: point) }
        // RS256.
        #expect(throws: PasskeyFault.self) {
            try PasskeyPublicKey(cose: [0xA4, 1, 3, 3, 0x39, 1, 0, 0x20, 0x41, 1, 0x21, 0x41, 1])
        }
    }
}

private func * (bytes: [UInt8], count: Int) -> [UInt8] { (0..<count).flatMap { _ in bytes } }
