import Bus
import Instruments
import Support
import SwiftProtobuf
import Testing
import Wire

@Suite("Reading envelopes in place")
struct EnvelopeScanTests {
    private func scan(_ bytes: [UInt8]) -> (String, UInt64, UInt64, Int64)? {
        bytes.withUnsafeBytes { bytes in
            EnvelopeScan(bytes).map {
                (
                    String(decoding: $0.producer, as: UTF8.self), $0.epoch, $0.sequence,
                    $0.publishedTime.nanoseconds
                )
            }
        }
    }

    @Test("finds the header in our own layout")
    func canonical() {
        let found = scan(BusFixtures.envelope(BusFixtures.trade("x"), producer: "me", epoch: 7, sequence: 9))
        #expect(found.map { "\($0)" } == #"("me", 7, 9, 0)"#)
    }

    @Test("finds the header wherever another program puts it")
    func otherLayouts() throws {
        var envelope = Bitpal_V1_Envelope()
        envelope.producer = "python"
        envelope.epoch = 1 << 60
        envelope.sequence = 3
        envelope.publishedTimeUnixNanos = -5
        let header: [UInt8] = try envelope.serializedBytes()
        let event = EventEncoder.encode(BusFixtures.trade("x"))
        let behind = scan(event + header)
        #expect(behind.map { "\($0)" } == #"("python", 1152921504606846976, 3, -5)"#)
    }

    @Test("finds the event by its field number")
    func event() {
        let bytes = BusFixtures.envelope(BusFixtures.trade("x"), sequence: 1)
        bytes.withUnsafeBytes { bytes in
            #expect(EnvelopeScan.event(16, in: bytes) != nil)
            #expect(EnvelopeScan.event(21, in: bytes) == nil)
        }
    }

    @Test(
        "refuses what is no numbered message",
        arguments: [[], [0x0A], [0x0A, 0x05, 0x61], [0xFF], [0x1B, 0x1C]])
    func refuses(bytes: [UInt8]) { #expect(scan(bytes) == nil) }

    @Test("reads damaged messages without a trap, and never one without producer or number")
    func damaged() {
        property(cases: 2_000) { generator in
            let good = BusFixtures.envelope(BusFixtures.delta(5, 6), sequence: 1)
            let bytes = generator.chance(80) ? generator.damaged(good) : generator.bytes(0...64)
            if let found = scan(bytes) { try #require(!found.0.isEmpty && found.2 != 0) }
            bytes.withUnsafeBytes { _ = EnvelopeScan.event(19, in: $0) }
        }
    }
}

@Suite("State questions and answers as bytes")
struct StateBytesTests {
    @Test("a question is the StateRequest of the schema")
    func request() throws {
        let bytes = StateRequest(id: 300, prefixes: ["book.", "", "ticker.kraken."]).frame
        let decoded = try Bitpal_V1_StateRequest(serializedBytes: bytes)
        #expect(decoded.requestID == 300 && decoded.prefixes == ["book.", "", "ticker.kraken."])
        let read = bytes.withUnsafeBytes { StateRequest($0) }
        #expect(read?.id == 300 && read?.prefixes == decoded.prefixes)
    }

    @Test("a question with too many prefixes, a too long one or none is refused")
    func refused() throws {
        for prefixes in [[], Array(repeating: "a.", count: 1_025), [String(repeating: "a", count: 256)]] {
            var request = Bitpal_V1_StateRequest()
            request.requestID = 1
            request.prefixes = prefixes
            let bytes: [UInt8] = try request.serializedBytes()
            #expect(bytes.withUnsafeBytes { StateRequest($0) } == nil)
        }
    }

    @Test("arbitrary bytes are a question or none, never a trap")
    func arbitrary() {
        property(cases: 2_000) { generator in
            let good = StateRequest(id: 3, prefixes: ["book.", "trade."]).frame
            let bytes = generator.chance(70) ? generator.damaged(good) : generator.bytes(0...40)
            if let request = bytes.withUnsafeBytes({ StateRequest($0) }) {
                try #require(!request.prefixes.isEmpty)
            }
        }
    }
}
