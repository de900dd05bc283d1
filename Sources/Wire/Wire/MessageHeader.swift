public import Instruments

/// Who published a message, and the place that it has in its topic.
public struct MessageHeader: Hashable, Sendable {
    /// The publisher's name.
    public var producer: String
    /// When that publisher started, in nanoseconds since 1970-01-01 UTC.
    public var epoch: UInt64
    /// Rises by one per (producer, epoch, topic) from 1.
    public var sequence: UInt64
    /// When it was handed to the bus.
    public var publishedTime: Timestamp

    public init(producer: String, epoch: UInt64, sequence: UInt64, publishedTime: Timestamp) {
        self.producer = producer
        self.epoch = epoch
        self.sequence = sequence
        self.publishedTime = publishedTime
    }
}

/// The header of a canonical envelope, read in place.
public struct MessageHeaderView: Sendable {
    /// Where the producer's name lies in the envelope.
    public let producer: Range<Int>
    /// See ``MessageHeader/epoch``.
    public let epoch: UInt64
    /// See ``MessageHeader/sequence``.
    public let sequence: UInt64
    /// See ``MessageHeader/publishedTime``.
    public let publishedTime: Timestamp
    /// Where the event begins.
    public let bodyOffset: Int

    @usableFromInline
    init(producer: Range<Int>, epoch: UInt64, sequence: UInt64, publishedTime: Timestamp, bodyOffset: Int) {
        self.producer = producer
        self.epoch = epoch
        self.sequence = sequence
        self.publishedTime = publishedTime
        self.bodyOffset = bodyOffset
    }
}

/// The canonical layout of an envelope: fields 1 to 4 first and in order, then the event.
///
/// Protobuf allows any order; ours lets a reader find the header at constant offsets. An envelope of another
/// layout is still valid and is read by ``EnvelopeDecoder``.
public enum EnvelopeHeader {

    /// The bytes of fields 1 and 2, the same for every message of one publisher.
    ///
    /// - Precondition: `producer` is 1...127 bytes of UTF-8.
    public static func prefix(producer: String, epoch: UInt64) -> [UInt8] {
        let name = Array(producer.utf8)
        precondition((1...127).contains(name.count), "a producer's name is 1...127 bytes")
        var bytes: [UInt8] = [0x0A, UInt8(name.count)]
        bytes += name
        bytes.append(0x11)
        withUnsafeBytes(of: epoch.littleEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Bytes of a whole header with such a prefix.
    @inlinable
    public static func size(prefixCount: Int) -> Int { prefixCount + 18 }

    /// Writes a header and returns its size.
    ///
    /// - Precondition: `target` has at least ``size(prefixCount:)`` bytes.
    @inlinable
    @discardableResult
    public static func write(
        prefix: [UInt8], sequence: UInt64, publishedTime: Timestamp,
        into target: UnsafeMutableRawBufferPointer
    ) -> Int {
        let count = prefix.count
        target.copyBytes(from: prefix)
        target[count] = 0x19
        target.storeBytes(of: sequence.littleEndian, toByteOffset: count + 1, as: UInt64.self)
        target[count + 9] = 0x21
        target.storeBytes(of: publishedTime.rawValue.littleEndian, toByteOffset: count + 10, as: Int64.self)
        return count + 18
    }

    /// Reads the header of a canonical envelope; `nil` for any other layout.
    @inlinable
    public static func read(_ bytes: UnsafeRawBufferPointer) -> MessageHeaderView? {
        guard bytes.count >= 2, bytes[0] == 0x0A, bytes[1] < 0x80 else { return nil }
        let end = 2 &+ Int(bytes[1])
        guard bytes.count >= end &+ 27, bytes[end] == 0x11, bytes[end &+ 9] == 0x19, bytes[end &+ 18] == 0x21
        else { return nil }
        return MessageHeaderView(
            producer: 2..<end,
            epoch: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end &+ 1, as: UInt64.self)),
            sequence: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end &+ 10, as: UInt64.self)),
            publishedTime: Timestamp(
                nanoseconds: Int64(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: end &+ 19, as: Int64.self))),
            bodyOffset: end &+ 27)
    }
}
