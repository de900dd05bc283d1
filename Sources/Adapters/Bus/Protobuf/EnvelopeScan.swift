package import Instruments
import Wire

/// The header of an envelope and where its producer's name lies, read in place.
package struct EnvelopeScan {
    /// The producer's name; never empty.
    package let producer: UnsafeRawBufferPointer
    /// See `MessageHeader.epoch`.
    package let epoch: UInt64
    /// See `MessageHeader.sequence`; never 0.
    package let sequence: UInt64
    /// See `MessageHeader.publishedTime`.
    package let publishedTime: Timestamp
    /// Whether it holds no event: the last message of a topic that is not used any more.
    package let isTombstone: Bool

    /// Reads the header of an envelope of any layout; `nil` when the bytes are no envelope of a numbered
    /// message.
    ///
    /// Our own layout costs four comparisons; any other is walked over.
    package init?(_ envelope: UnsafeRawBufferPointer) {
        if let view = EnvelopeHeader.read(envelope), !view.producer.isEmpty, view.sequence != 0 {
            producer = UnsafeRawBufferPointer(rebasing: envelope[view.producer])
            epoch = view.epoch
            sequence = view.sequence
            publishedTime = view.publishedTime
            isTombstone = view.bodyOffset == envelope.count
            return
        }
        var reader = ProtoReader(envelope)
        var found: (producer: UnsafeRawBufferPointer?, epoch: UInt64, sequence: UInt64, time: UInt64) = (
            nil, 0, 0, 0
        )
        var hasEvent = false
        while let field = reader.next() {
            switch field.number {
            case 1: found.producer = field.bytes
            case 2: found.epoch = field.value
            case 3: found.sequence = field.value
            case 4: found.time = field.value
            case 16...: hasEvent = true
            default: break
            }
        }
        guard !reader.isMalformed, let name = found.producer, (1...127).contains(name.count),
            found.sequence != 0
        else { return nil }
        producer = name
        epoch = found.epoch
        sequence = found.sequence
        publishedTime = Timestamp(nanoseconds: Int64(bitPattern: found.time))
        isTombstone = !hasEvent
    }

    /// The contents of the envelope's event with this field number; `nil` when it holds another event.
    package static func event(_ number: Int, in envelope: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var reader = ProtoReader(envelope)
        var event: UnsafeRawBufferPointer?
        while let field = reader.next() {
            if field.number == number { event = field.bytes }
        }
        return reader.isMalformed ? nil : event
    }
}
