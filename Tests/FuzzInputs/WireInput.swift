import Instruments
import MarketData
import Wire

/// What the fuzz target `fuzz-wire` does with an input, and the ordinary tests with every kept one.
///
/// An input is a row of frames, each two bytes of length (little-endian, cut at the end of the input) and an
/// envelope. A ``BookReplica`` follows whatever the envelopes say.
package enum WireInput {
    /// Gives every frame to all that reads bytes of the bus.
    ///
    /// - Precondition: an event that was decoded is the same after it was encoded and decoded again.
    package static func run(_ input: UnsafeRawBufferPointer) {
        var replica = BookReplica(bufferLimit: 16)
        var rest = input[...]
        while rest.count >= 2 {
            let count = Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8
            rest = rest.dropFirst(2)
            let frame = Array(rest.prefix(count))
            rest = rest.dropFirst(frame.count)
            frame.withUnsafeBytes { run(frame: $0, &replica) }
            readTexts(frame)
        }
    }

    private static func run(frame: UnsafeRawBufferPointer, _ replica: inout BookReplica) {
        _ = EnvelopeHeader.read(frame)
        guard let (header, event) = try? EnvelopeDecoder.decode(frame) else { return }
        _ = header.publishedTime.iso8601
        checkRoundTrip(event)
        let position = StreamPosition(
            producer: header.producer, epoch: header.epoch, sequence: header.sequence)
        switch event {
        case .bookDelta(_, let delta): _ = replica.apply(delta, at: position)
        case .bookStateChange(_, let change): _ = replica.apply(change, at: position)
        case .bookSnapshot(_, let snapshot): _ = replica.apply(snapshot)
        case .heartbeat: _ = replica.lose(through: position, detail: "")
        default: break
        }
        precondition(replica.state != .syncing || replica.book.bidCount + replica.book.askCount == 0)
        _ = replica.top()
    }

    private static func checkRoundTrip(_ event: WireEvent) {
        // The order of a map's entries is not fixed.
        if case .serviceStatus = event { return }
        let encoded = EventEncoder.encode(event)
        guard let (_, again) = try? EnvelopeDecoder.decode(encoded) else {
            preconditionFailure("an encoded event cannot be decoded")
        }
        precondition(EventEncoder.encode(again) == encoded, "an event changed on its way")
    }

    /// The same bytes as the texts that come from outside: topics, ids, numbers and times.
    private static func readTexts(_ frame: [UInt8]) {
        let text = String(decoding: frame, as: UTF8.self)
        if let id = Topic.instrument(in: text) {
            precondition(Topic.instrument(in: Topic.trade(id)) == id, "a topic does not name its instrument")
        }
        if let id = InstrumentID(text) { precondition(InstrumentID(id.description) == id) }
        frame.withUnsafeBytes { bytes in
            if let number = try? DecimalNumber(parsing: bytes) {
                precondition((try? DecimalNumber(parsing: number.description)) == number)
            }
            if let time = Timestamp(iso8601: bytes) { precondition(Timestamp(iso8601: time.iso8601) == time) }
        }
    }
}
