import Support
import Testing

@testable import Web

@Suite("Frame reader")
struct FrameReaderTests {
    /// What came out of a reader, in order.
    struct Seen: Equatable {
        var messages: [String] = []
        var controls: [FrameReader.Control] = []
        var fault: FrameFault?
    }

    private func read(
        _ pieces: [[UInt8]], frameLimit: Int = 1 << 20, messageLimit: Int = 1 << 20,
        drains: (Int) -> Bool = { _ in true }
    ) -> Seen {
        var reader = FrameReader(frameLimit: frameLimit, messageLimit: messageLimit)
        var seen = Seen()
        func take() {
            let batch = WebSocketBatch(bytes: reader.bytes, messages: reader.messages, receivedNanoseconds: 0)
            seen.messages += (0..<batch.count).map { (batch.isText($0) ? "t:" : "b:") + batch.text($0) }
            reader.drain()
        }
        for (index, piece) in pieces.enumerated() {
            piece.withUnsafeBytes { reader.append($0) }
            do { try reader.parse() } catch { seen.fault = seen.fault ?? error }
            seen.controls += reader.takeControls()
            if drains(index) { take() }
        }
        take()
        return seen
    }

    @Test("delivers whole messages of every length form", arguments: [0, 1, 125, 126, 65_535, 65_536])
    func lengths(count: Int) {
        let text = String(repeating: "x", count: count)
        #expect(read([RawFrame.text(text) + RawFrame.binary([65])]).messages == ["t:" + text, "b:A"])
    }

    @Test("joins fragments around a ping, and reports the ping first")
    func fragments() {
        let bytes =
            RawFrame.text("one ", isFinal: false) + RawFrame.ping("?")
            + RawFrame.continuation("two ", isFinal: false) + RawFrame.continuation("", isFinal: false)
            + RawFrame.continuation("three", isFinal: true) + RawFrame.text("next")
        let seen = read([bytes])
        #expect(seen.messages == ["t:one two three", "t:next"])
        #expect(seen.controls == [.init(opcode: .ping, payload: Array("?".utf8))])
    }

    @Test(
        "refuses what a server must not send",
        arguments: [
            (RawFrame.bytes(1, [], bits: 4), FrameFault.reservedBits(4)),
            (RawFrame.bytes(3, []), .unknownOpcode(3)), (RawFrame.bytes(11, []), .unknownOpcode(11)),
            ([0x81, 0x81, 1, 2, 3, 4, 5], .maskedByServer),
            (RawFrame.bytes(9, [], isFinal: false), .controlFrameShape(opcode: 9, bytes: 0, isFinal: false)),
            (
                RawFrame.bytes(9, Array(repeating: 0, count: 126)),
                .controlFrameShape(opcode: 9, bytes: 126, isFinal: true)
            ),
            (RawFrame.continuation("x", isFinal: true), .fragmentOrder),
            (RawFrame.text("a", isFinal: false) + RawFrame.text("b"), .fragmentOrder),
            (RawFrame.bytes(1, [0xC0, 0x80]), .invalidUTF8),
            (RawFrame.bytes(1, [0xE2, 0x82], isFinal: false) + RawFrame.bytes(0, [0x28]), .invalidUTF8),
        ])
    func faults(bytes: [UInt8], fault: FrameFault) {
        let seen = read([RawFrame.text("before") + bytes + RawFrame.text("after")])
        #expect(seen.fault == fault)
        #expect(seen.messages == ["t:before"])
    }

    @Test("accepts a character whose bytes are in two fragments")
    func splitCharacter() {
        let euro = Array("€".utf8)
        let bytes = RawFrame.bytes(1, [euro[0]], isFinal: false) + RawFrame.bytes(0, Array(euro[1...]))
        #expect(read([bytes]) == Seen(messages: ["t:€"]))
    }

    @Test("refuses a frame that is too long at its header, before its bytes come")
    func frameLimit() {
        let header = Array(RawFrame.binary(Array(repeating: 0, count: 70_000))[..<10])
        #expect(read([header], frameLimit: 69_999).fault == .frameTooLarge(bytes: 70_000, limit: 69_999))
        #expect(read([header], frameLimit: 70_000).fault == nil)
        let huge: [UInt8] = [0x82, 127, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        #expect(read([huge]).fault == .frameTooLarge(bytes: .max, limit: 1 << 20))
    }

    @Test("refuses fragments that together are too long")
    func messageLimit() {
        let bytes = RawFrame.text("12345", isFinal: false) + RawFrame.continuation("678", isFinal: true)
        #expect(read([bytes], messageLimit: 7).fault == .messageTooLarge(limit: 7))
        #expect(read([bytes], messageLimit: 8) == Seen(messages: ["t:12345678"]))
    }

    @Test("looks at nothing after a close frame")
    func afterClose() {
        let seen = read([RawFrame.close(1001) + RawFrame.text("late"), [0xFF, 0xFF]])
        #expect(seen == Seen(controls: [.init(opcode: .close, payload: [3, 233])]))
    }

    @Test("gives the same messages however the bytes are cut and drained")
    func anySplit() {
        property { generator in
            let stream = randomStream(&generator)
            let whole = read([stream.bytes])
            try #require(whole.messages == stream.messages)
            var cut: [[UInt8]] = []
            var rest = stream.bytes[...]
            while !rest.isEmpty {
                let count = min(
                    rest.count, generator.chance(50) ? generator.int(1...4) : generator.int(1...300))
                cut.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            var coin = generator
            let parts = read(cut) { _ in coin.chance(50) }
            try #require(parts == whole)
        }
    }

    @Test("survives any bytes")
    func anyBytes() {
        property { generator in
            var bytes = randomStream(&generator).bytes
            for _ in 0..<generator.int(1...4) { bytes = generator.damaged(bytes) }
            let seen = read([bytes], frameLimit: 1000, messageLimit: 1000)
            try #require(seen.messages.allSatisfy { $0.utf8.count <= 3002 })
        }
    }

    private func randomStream(_ generator: inout SeededGenerator) -> (bytes: [UInt8], messages: [String]) {
        var bytes: [UInt8] = []
        var messages: [String] = []
        for _ in 0..<generator.int(1...6) {
            let text = String(repeating: generator.pick(["a", "é", "€", "🙂"]), count: generator.int(0...90))
            messages.append("t:" + text)
            var rest = Array(text.utf8)[...]
            var opcode: UInt8 = 1
            repeat {
                if generator.chance(30) { bytes += RawFrame.ping("p") }
                let isLast = generator.chance(50)
                let piece = rest.prefix(isLast ? rest.count : generator.int(0...rest.count))
                rest = rest.dropFirst(piece.count)
                bytes += RawFrame.bytes(opcode, Array(piece), isFinal: isLast)
                if isLast { break }
                opcode = 0
            } while true
        }
        return (bytes, messages)
    }
}

@Suite("UTF-8 check")
struct UTF8CheckTests {
    @Test("agrees with the standard library on any bytes")
    func agrees() {
        property(cases: 2000) { generator in
            var bytes = Array(generator.text(0...40).utf8)
            if generator.chance(70) { bytes = generator.damaged(bytes) }
            let isValid = bytes.withUnsafeBytes { UTF8Check.isValid($0) }
            try #require(isValid == (String(validating: bytes, as: UTF8.self) != nil))
        }
    }

    @Test(
        "knows the limits of every length",
        arguments: [
            ([0xC1, 0xBF], false), ([0xC2, 0x80], true), ([0xE0, 0x9F, 0xBF], false),
            ([0xE0, 0xA0, 0x80], true),
            ([0xED, 0x9F, 0xBF], true), ([0xED, 0xA0, 0x80], false), ([0xF0, 0x8F, 0xBF, 0xBF], false),
            ([0xF4, 0x8F, 0xBF, 0xBF], true), ([0xF4, 0x90, 0x80, 0x80], false),
            ([0xF5, 0x80, 0x80, 0x80], false),
            ([0x80], false), ([0xE2, 0x82], false), ([], true),
        ] as [([UInt8], Bool)])
    func limits(bytes: [UInt8], isValid: Bool) {
        // Behind a run of ASCII too, where whole blocks are skipped.
        let behind = Array(repeating: UInt8(ascii: "x"), count: 33) + bytes
        #expect(bytes.withUnsafeBytes { UTF8Check.isValid($0) } == isValid)
        #expect(behind.withUnsafeBytes { UTF8Check.isValid($0) } == isValid)
    }
}
