/// The complete messages of one burst from the socket, in order, in one block of bytes.
///
/// A value: keeping one is safe, but costs the reader a copy of the block; look at the bytes in place and let
/// it go.
package struct WebSocketBatch: Sendable {
    /// One message inside ``bytes``.
    struct Message: Sendable, Hashable {
        var start: Int
        var end: Int
        var isText: Bool
    }

    let bytes: [UInt8]
    let messages: [Message]
    /// When the burst was read, nanoseconds since 1970-01-01 UTC by the configured clock.
    package let receivedNanoseconds: Int64

    /// How many messages there are, 1 or more.
    package var count: Int { messages.count }

    /// Whether the message came as text (and is UTF-8) rather than binary.
    ///
    /// - Precondition: `index` is in `0..<count`.
    package func isText(_ index: Int) -> Bool { messages[index].isText }

    /// Calls `body` with the bytes of one message, which are valid only inside.
    ///
    /// - Precondition: `index` is in `0..<count`.
    /// - Throws: What `body` throws.
    @inline(__always)
    package func withMessage<Result, Failure: Error>(
        _ index: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let message = messages[index]
        // SAFETY: the pointer does not leave `body`; start and end were checked against `bytes` when the
        // message was completed, and both arrays are immutable here.
        let outcome = bytes.withUnsafeBytes { raw in
            do throws(Failure) {
                return Swift.Result<Result, Failure>.success(
                    try body(UnsafeRawBufferPointer(rebasing: raw[message.start..<message.end])))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// A copy of one message.
    ///
    /// - Precondition: `index` is in `0..<count`.
    package func copy(_ index: Int) -> [UInt8] { Array(bytes[messages[index].start..<messages[index].end]) }

    /// A copy of one message as text; malformed UTF-8 in a binary message is replaced.
    ///
    /// - Precondition: `index` is in `0..<count`.
    package func text(_ index: Int) -> String {
        String(decoding: bytes[messages[index].start..<messages[index].end], as: UTF8.self)
    }

    /// The same messages, each as `transform` gives it back.
    ///
    /// All results together are at most four times as long as one may be: a burst of many small messages,
    /// each of which unpacks to the limit, would fill the memory.
    ///
    /// - Throws: ``WebError/transformFailed(bytes:reason:)`` for the first that it refuses, or whose result
    ///   is longer than `limit`; none of the burst is then delivered.
    func transformed(by transform: WebSocketMessageTransform, limit: Int) throws(WebError) -> WebSocketBatch {
        var output: [UInt8] = []
        var moved: [Message] = []
        moved.reserveCapacity(count)
        for index in 0..<count {
            let start = output.count
            let room = min(limit, 4 * limit - start)
            do {
                try withMessage(index) { bytes throws(any Error) in
                    try transform(isText(index) ? .text : .binary, bytes, room, &output)
                }
            } catch {
                throw .transformFailed(bytes: messages[index].end - messages[index].start, reason: "\(error)")
            }
            guard output.count >= start, output.count - start <= room else {
                throw .protocolViolation(.messageTooLarge(limit: limit))
            }
            moved.append(Message(start: start, end: output.count, isText: isText(index)))
        }
        return WebSocketBatch(bytes: output, messages: moved, receivedNanoseconds: receivedNanoseconds)
    }
}
