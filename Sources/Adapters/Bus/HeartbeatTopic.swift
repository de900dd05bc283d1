import Wire

/// Whose heartbeats a topic has.
package enum HeartbeatTopic {
    private static let beginning = Array("heartbeat.".utf8)

    /// Whether it is the topic of somebody's heartbeats.
    package static func isOne(_ topic: UnsafeRawBufferPointer) -> Bool { topic.starts(with: beginning) }

    /// Whether it is the one on which this producer beats: what is said of its numbers elsewhere is not its
    /// word.
    package static func isOwn(_ topic: UnsafeRawBufferPointer, of producer: UnsafeRawBufferPointer) -> Bool {
        guard let name = String(validating: producer, as: UTF8.self) else { return false }
        return topic.elementsEqual(Topic.heartbeat(producer: name).utf8)
    }
}
