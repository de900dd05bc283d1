import CZlib

/// Unpacks messages, each of which is whole by itself, with one zlib stream that is used again and again.
///
/// Not thread safe: it belongs to one connection's event loop. What comes is not trusted: a message may
/// unpack to a thousand times its length, so that the output grows in steps and never beyond the limit.
final class MessageInflater {
    /// Bytes that the output grows by.
    private static let step = 64 * 1_024
    /// Members of one message: venues send one, and each costs a step, also when it is empty.
    static let memberLimit = 64

    private let packing: MessagePacking
    // SAFETY: zlib remembers the address of its stream, so it is allocated once and freed in deinit; only
    // methods of this object, which has one owner, use it.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool

    init(_ packing: MessagePacking) {
        self.packing = packing
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window; plus 16 is "gzip and nothing else", negative is a stream without any header.
        let window: Int32 = packing == .gzip ? 15 + 16 : -15
        isReady =
            inflateInit2_(stream, window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
    }

    /// Appends what a message packs.
    ///
    /// - Parameters:
    ///   - message: The whole message.
    ///   - limit: Bytes that may be appended.
    ///   - output: Where to; after a fault what was appended is worth nothing.
    /// - Throws: ``InflateFault``; the next message can be unpacked all the same.
    func unpack(
        _ message: UnsafeRawBufferPointer, limit: Int, into output: inout [UInt8]
    ) throws(InflateFault) {
        guard isReady, inflateReset(stream) == Z_OK else { throw .noMemory }
        guard let address = message.baseAddress, message.count > 0, message.count <= 1 << 30 else {
            throw message.count == 0 ? .truncated : .tooLarge(limit: limit)
        }
        // SAFETY: zlib only reads its input, and only while this call lasts; the caller keeps the bytes.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: address.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(message.count)
        defer { stream.pointee.next_in = nil }
        let end = output.count + limit
        // RFC 1952, 2.2: members follow each other without anything between them.
        var members = 1
        while try inflateMember(upTo: end, limit: limit, into: &output) {
            members += 1
            guard members <= Self.memberLimit else { throw .tooManyMembers(limit: Self.memberLimit) }
            guard inflateReset(stream) == Z_OK else { throw .noMemory }
        }
    }

    /// Unpacks up to the end of a member; returns whether another one follows.
    private func inflateMember(
        upTo end: Int, limit: Int, into output: inout [UInt8]
    ) throws(InflateFault) -> Bool {
        while true {
            let (status, isFull) = inflateStep(upTo: end, into: &output)
            if output.count > end { throw .tooLarge(limit: limit) }
            let left = Int(stream.pointee.avail_in)
            switch status {
            case Z_STREAM_END:
                guard left > 0 else { return false }
                guard packing == .gzip, stream.pointee.next_in?.pointee == 0x1F else {
                    throw .trailing(bytes: left)
                }
                return true
            case Z_OK, Z_BUF_ERROR:
                // With room left and nothing to read, the rest is missing.
                if !isFull { throw .truncated }
            case Z_MEM_ERROR: throw .noMemory
            default: throw .damaged
            }
        }
    }

    /// One step of zlib into at most ``step`` new bytes; says whether it filled them.
    private func inflateStep(upTo end: Int, into output: inout [UInt8]) -> (status: Int32, isFull: Bool) {
        let start = output.count
        // One byte more than is accepted tells what is too long from what just fits.
        let room = min(Self.step, end + 1 - start)
        output.append(contentsOf: repeatElement(0, count: room))
        let status = output.withUnsafeMutableBufferPointer { bytes in
            // SAFETY: `room` bytes from `start` on are the array's, and zlib writes no more than that.
            stream.pointee.next_out = bytes.baseAddress.map { $0 + start }
            stream.pointee.avail_out = UInt32(room)
            let status = inflate(stream, Z_NO_FLUSH)
            stream.pointee.next_out = nil
            return status
        }
        let unused = Int(stream.pointee.avail_out)
        output.removeLast(unused)
        return (status, unused == 0)
    }
}
