import CZlib
import Testing

@testable import Web

@Suite("Packed messages", .timeLimit(.minutes(10)))
struct MessagePackingTests {
    private let gzipped = WebSocketConfiguration.test.with {
        $0.makeTransform = MessagePacking.gzip.makeTransform
    }
    private let text = #"{"ch":"market.btcusdt.depth.step0","tick":{"bids":[[100.0,2.0]]}}"#

    /// What a server sends for a text.
    static func pack(_ text: String, _ packing: MessagePacking) throws -> [UInt8] {
        var stream = z_stream()
        let window: Int32 = packing == .gzip ? 15 + 16 : -15
        try #require(
            deflateInit2_(
                &stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK)
        defer { deflateEnd(&stream) }
        var input = Array(text.utf8)
        var output = [UInt8](repeating: 0, count: input.count + 1_024)
        let (count, size) = (UInt32(input.count), UInt32(output.count))
        let status = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = count
                stream.next_out = target.baseAddress
                stream.avail_out = size
                return deflate(&stream, Z_FINISH)
            }
        }
        try #require(status == Z_STREAM_END)
        return Array(output.dropLast(Int(stream.avail_out)))
    }

    private func unpack(
        _ message: [UInt8], _ inflater: MessageInflater, limit: Int = 1 << 20
    ) throws(InflateFault) -> String {
        var output: [UInt8] = []
        let result = message.withUnsafeBytes { bytes in
            do throws(InflateFault) {
                try inflater.unpack(bytes, limit: limit, into: &output)
                return Result<Void, InflateFault>.success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        return String(decoding: output, as: UTF8.self)
    }

    @Test(
        "are unpacked one after the other, also behind one that could not be",
        arguments: MessagePacking.allCases)
    func sequence(packing: MessagePacking) throws {
        let inflater = MessageInflater(packing)
        let long = String(repeating: "0123456789", count: 30_000)
        #expect(try unpack(try Self.pack(text, packing), inflater) == text)
        #expect(throws: InflateFault.self) { try unpack([0x7B, 0x7D, 0xFF, 0xFF], inflater) }
        #expect(throws: InflateFault.truncated) { try unpack([], inflater) }
        let packed = try Self.pack(long, packing)
        #expect(throws: InflateFault.truncated) { try unpack(packed.dropLast(9), inflater) }
        #expect(throws: InflateFault.trailing(bytes: 3)) { try unpack(packed + [1, 2, 3], inflater) }
        #expect(try unpack(packed, inflater) == long)
    }

    @Test("of one limit are taken, of one byte more refused", arguments: MessagePacking.allCases)
    func limit(packing: MessagePacking) throws {
        let inflater = MessageInflater(packing)
        for count in [1, 100, 64 * 1_024, 200_000] {
            let message = try Self.pack(String(repeating: "a", count: count), packing)
            #expect(try unpack(message, inflater, limit: count).utf8.count == count)
            #expect(throws: InflateFault.tooLarge(limit: count - 1)) {
                try unpack(message, inflater, limit: count - 1)
            }
        }
    }

    @Test("of two gzip members are both")
    func members() throws {
        let both = try Self.pack("one ", .gzip) + Self.pack("two", .gzip)
        #expect(try unpack(both, MessageInflater(.gzip)) == "one two")
    }

    @Test("of more gzip members than any venue sends are refused")
    func tooManyMembers() throws {
        let member = try Self.pack("a", .gzip)
        let most = Array(repeatElement(member, count: MessageInflater.memberLimit).joined())
        #expect(try unpack(most, MessageInflater(.gzip)).utf8.count == MessageInflater.memberLimit)
        #expect(throws: InflateFault.tooManyMembers(limit: MessageInflater.memberLimit)) {
            try unpack(most + member, MessageInflater(.gzip))
        }
    }

    @Test("are refused when a checksum is wrong")
    func checksum() throws {
        var message = try Self.pack(text, .gzip)
        message[message.count - 6] ^= 1
        #expect(throws: InflateFault.damaged) { try unpack(message, MessageInflater(.gzip)) }
    }

    @Test("reach a consumer as text beside messages that are text, and a damaged one ends the connection")
    func connection() async throws {
        let (text, packed) = (text, try Self.pack(text, .gzip))
        let server = try await RawServer.accepting(
            greeting: RawFrame.binary(packed) + RawFrame.text("plain")
        ) { peer, _ in peer.send(RawFrame.binary(Array(packed.dropLast(10)))) }
        let inbox = Inbox()
        let connection = try await inbox.connect(
            to: server.port, configuration: gzipped)
        connection.resume()
        #expect(await inbox.messages.next(2) == [text, "plain"])
        connection.send(text: "now a bad one")
        let closure = await connection.closed()
        #expect(
            closure
                == .failed(
                    .transformFailed(bytes: packed.count - 10, reason: "it ends before what it packs")))
    }

    @Test("of one burst may not fill the memory together")
    func burst() async throws {
        // Each unpacks to the limit of the tests, and five come at once.
        let bomb = try Self.pack(String(repeating: "a", count: 1 << 17), .gzip)
        let server = try await RawServer.accepting(
            greeting: (0..<5).flatMap { _ in RawFrame.binary(bomb) })
        let inbox = Inbox()
        let connection = try await inbox.connect(
            to: server.port, configuration: gzipped)
        connection.resume()
        #expect(
            await connection.closed()
                == .failed(
                    .transformFailed(
                        bytes: bomb.count, reason: "it is longer than 0 bytes when unpacked")))
        #expect(connection.counters.messages == 0)
    }
}
