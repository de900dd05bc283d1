/// One frame of the broker's answer about retained state, read in place.
struct StateReplyReader {
    let requestID: UInt64
    let isLast: Bool
    private(set) var incomplete: [String] = []
    /// Topic and envelope of each retained message, in the order of the answer.
    private(set) var messages: [(topic: UnsafeRawBufferPointer, envelope: UnsafeRawBufferPointer)] = []

    /// Reads a frame whose bytes stay where they are meanwhile; `nil` when they are no such frame.
    init?(_ frame: UnsafeRawBufferPointer) {
        var reader = ProtoReader(frame)
        var requestID: UInt64 = 0
        var isLast = false
        while let field = reader.next() {
            switch (field.number, field.bytes) {
            case (1, nil): requestID = field.value
            case (2, let bytes?):
                guard let message = Self.retained(bytes) else { return nil }
                messages.append(message)
            case (3, nil): isLast = field.value != 0
            case (4, let bytes?): incomplete.append(String(decoding: bytes, as: UTF8.self))
            default: break
            }
        }
        if reader.isMalformed { return nil }
        self.requestID = requestID
        self.isLast = isLast
    }

    private static func retained(
        _ bytes: UnsafeRawBufferPointer
    ) -> (topic: UnsafeRawBufferPointer, envelope: UnsafeRawBufferPointer)? {
        var reader = ProtoReader(bytes)
        var topic: UnsafeRawBufferPointer?
        var envelope: UnsafeRawBufferPointer?
        while let field = reader.next() {
            if field.number == 1 { topic = field.bytes }
            if field.number == 2 { envelope = field.bytes }
        }
        guard !reader.isMalformed, let topic, let envelope else { return nil }
        return (topic, envelope)
    }
}
