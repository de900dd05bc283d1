/// The topic by which a subscriber learns that the broker has all its subscriptions.
///
/// It subscribes to a topic of its own after the others; the broker sees that subscription arrive and answers
/// with a message on it. On one connection subscriptions stay in order, also when ZeroMQ repeats them after a
/// reconnection, in the order of their bytes: hence the tilde, which comes after every letter that a topic
/// begins with.
package struct SynchronizationToken {
    /// Every such topic begins so; no other topic does.
    package static let mark = UInt8(ascii: "~")

    let topic: String
    private let bytes: [UInt8]

    init(subscriber: UInt64, number: UInt64) {
        topic = "~sync.\(String(subscriber, radix: 16)).\(number)."
        bytes = Array(topic.utf8)
    }

    /// Whether the broker answers a subscription to this topic.
    package static func isToken(_ topic: UnsafeRawBufferPointer) -> Bool {
        topic.count <= 255 && topic.starts(with: "~sync.".utf8) && topic.last == UInt8(ascii: ".")
    }

    func matches(_ topic: UnsafeRawBufferPointer) -> Bool { topic.elementsEqual(bytes) }
}
