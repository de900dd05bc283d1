import Instruments
import Support
import SwiftProtobuf
import Testing
import Wire

@Suite("Message header")
struct MessageHeaderTests {
    @Test("is read in place as it was written, and by any protobuf reader")
    func roundTrip() {
        property { rng in
            let header = canonicalHeader(&rng)
            let body = EventEncoder.encode(rng.event(kind: rng.int(0...SeededGenerator.eventKinds - 1)))
            let bytes = written(header) + body
            let view = try #require(bytes.withUnsafeBytes { EnvelopeHeader.read($0) })
            try #require(Array(bytes[view.producer]) == Array(header.producer.utf8))
            try #require(view.epoch == header.epoch)
            try #require(view.sequence == header.sequence)
            try #require(view.publishedTime == header.publishedTime)
            try #require(Array(bytes[view.bodyOffset...]) == body)
            let (decoded, event) = try EnvelopeDecoder.decode(bytes)
            try #require(decoded == header)
            let (_, alone) = try EnvelopeDecoder.decode(body)
            try #require(isSame(event, alone))
        }
    }

    @Test("is what protobuf itself writes when no field is zero")
    func canonical() {
        property { rng in
            var header = canonicalHeader(&rng)
            header.epoch = max(header.epoch, 1)
            header.sequence = max(header.sequence, 1)
            if header.publishedTime == .zero { header.publishedTime = Timestamp(nanoseconds: 1) }
            let event = rng.event(kind: 0)
            let bytes: [UInt8] = try EventEncoder.envelope(event, header: header).serializedBytes()
            let ours = written(header) + EventEncoder.encode(event)
            try #require(bytes == ours)
        }
    }

    @Test("has the size that is told, and overwrites all of it")
    func sizes() {
        let prefix = EnvelopeHeader.prefix(producer: "feed-ingestor", epoch: 7)
        #expect(prefix.count == 2 + 13 + 9)
        #expect(EnvelopeHeader.size(prefixCount: prefix.count) == prefix.count + 18)
        var bytes = [UInt8](repeating: 0xAA, count: EnvelopeHeader.size(prefixCount: prefix.count) + 3)
        let count = bytes.withUnsafeMutableBytes {
            EnvelopeHeader.write(prefix: prefix, sequence: 0, publishedTime: .zero, into: $0)
        }
        #expect(count == EnvelopeHeader.size(prefixCount: prefix.count))
        #expect(bytes.suffix(3) == [0xAA, 0xAA, 0xAA])
        #expect(Array(bytes[..<prefix.count]) == prefix)
        #expect(bytes[prefix.count] == 0x19)
        #expect(bytes[prefix.count + 9] == 0x21)
        #expect(!bytes[(prefix.count + 10)..<count].contains(0xAA))
    }

    @Test("is not read in place from another layout, and is decoded all the same")
    func otherLayouts() throws {
        var rng = SeededGenerator(seed: 7)
        let header = MessageHeader(
            producer: "feed", epoch: 5, sequence: 9, publishedTime: Timestamp(nanoseconds: 3))
        let event = rng.event(kind: 0)
        let body = EventEncoder.encode(event)
        let fields = pieces(of: header)
        let layouts = [
            body + fields[0] + fields[1] + fields[2] + fields[3],
            fields[3] + fields[2] + fields[1] + fields[0] + body,
            fields[0] + fields[2] + fields[1] + fields[3] + body,
            fields[0] + body + fields[1] + fields[2] + fields[3],
        ]
        for layout in layouts {
            #expect(layout.withUnsafeBytes { EnvelopeHeader.read($0) } == nil)
            let (decoded, other) = try EnvelopeDecoder.decode(layout)
            #expect(decoded == header)
            #expect(isSame(other, event))
        }
    }

    @Test("merges as protobuf does: the last of a repeated field counts")
    func merging() throws {
        var rng = SeededGenerator(seed: 7)
        let first = MessageHeader(producer: "a", epoch: 1, sequence: 1, publishedTime: .zero)
        let last = MessageHeader(
            producer: "b", epoch: 2, sequence: 3, publishedTime: Timestamp(nanoseconds: 4))
        let ticker = EventEncoder.encode(rng.event(kind: 1))
        let trade = rng.event(kind: 0)
        let (header, event) = try EnvelopeDecoder.decode(
            written(first) + ticker + written(last) + EventEncoder.encode(trade))
        #expect(header == last)
        #expect(isSame(event, trade))
    }

    @Test("is not read from fewer bytes than it has")
    func cut() {
        let bytes = written(MessageHeader(producer: "feed", epoch: 5, sequence: 9, publishedTime: .zero))
        for count in 0..<bytes.count {
            #expect(
                Array(bytes[..<count]).withUnsafeBytes { EnvelopeHeader.read($0) } == nil, "\(count) bytes")
        }
        #expect(bytes.withUnsafeBytes { EnvelopeHeader.read($0) }?.bodyOffset == bytes.count)
    }

    @Test("is read within the bytes that there are, or not at all")
    func arbitraryBytes() {
        property(cases: 2_000) { rng in
            let header = canonicalHeader(&rng)
            let bytes = rng.chance(80) ? rng.damaged(rng.damaged(written(header))) : rng.bytes(0...60)
            guard let view = bytes.withUnsafeBytes({ EnvelopeHeader.read($0) }) else { return }
            try #require(view.bodyOffset <= bytes.count)
            try #require(view.producer.upperBound <= bytes.count)
        }
    }

    /// A header that the canonical layout can hold: a name of 1 to 127 bytes.
    private func canonicalHeader(_ rng: inout SeededGenerator) -> MessageHeader {
        var header = rng.header()
        header.producer = rng.pick([
            "p", "feed-ingestor", String(repeating: "é", count: 63), rng.text(1...12),
        ])
        return header
    }

    private func written(_ header: MessageHeader) -> [UInt8] {
        let prefix = EnvelopeHeader.prefix(producer: header.producer, epoch: header.epoch)
        var bytes = [UInt8](repeating: 0xAA, count: EnvelopeHeader.size(prefixCount: prefix.count))
        bytes.withUnsafeMutableBytes {
            _ = EnvelopeHeader.write(
                prefix: prefix, sequence: header.sequence, publishedTime: header.publishedTime, into: $0)
        }
        return bytes
    }

    /// The bytes of fields 1 to 4, one by one.
    private func pieces(of header: MessageHeader) -> [[UInt8]] {
        let bytes = written(header)
        let name = 2 + header.producer.utf8.count
        return [
            Array(bytes[..<name]), Array(bytes[name..<name + 9]), Array(bytes[name + 9..<name + 18]),
            Array(bytes[(name + 18)...]),
        ]
    }
}
