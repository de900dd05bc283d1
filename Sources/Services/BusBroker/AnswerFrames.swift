import Bus

/// The frames of one answer about retained state, each a `StateReply` of about a mebibyte at most.
struct AnswerFrames {
    private static let frameBytes = 1 << 20
    private static let frameMessages = 4_096

    private let requestID: UInt64
    private var writer = ProtoWriter()
    private var messages = 0
    /// Frames that are ready, the oldest first.
    private(set) var ready: [[UInt8]] = []

    init(requestID: UInt64) {
        self.requestID = requestID
        writer.append(1, requestID)
    }

    /// Whether nothing is ready to be sent.
    var isEmpty: Bool { ready.isEmpty }

    /// Adds a retained message; one larger than a frame gets a frame of its own.
    mutating func append(_ topic: UnsafeRawBufferPointer, _ envelope: UnsafeRawBufferPointer) {
        if messages > 0, writer.bytes.count + topic.count + envelope.count > Self.frameBytes { close() }
        writer.append(2, pair: topic, envelope)
        messages += 1
        if messages == Self.frameMessages || writer.bytes.count >= Self.frameBytes { close() }
    }

    /// Adds a retained message.
    mutating func append(_ topic: [UInt8], _ envelope: [UInt8]) {
        topic.withUnsafeBytes { topic in envelope.withUnsafeBytes { append(topic, $0) } }
    }

    /// Names what could not be answered whole.
    mutating func appendIncomplete(_ topic: String) {
        writer.append(4, topic)
        messages += 1
        if messages == Self.frameMessages { close() }
    }

    /// Ends the answer.
    mutating func finish() {
        writer.append(3, 1)
        close()
    }

    /// Takes the oldest frame that is ready.
    mutating func takeFirst() -> [UInt8]? { ready.isEmpty ? nil : ready.removeFirst() }

    private mutating func close() {
        ready.append(writer.bytes)
        writer = ProtoWriter()
        writer.append(1, requestID)
        messages = 0
    }
}
