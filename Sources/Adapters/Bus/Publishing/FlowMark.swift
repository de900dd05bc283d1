/// A mark in a publisher's stream, which the broker sends back when it has come to it.
///
/// Down to the broker: the topic `~mark.<producer>.<epoch>.<number>.` with an empty second frame. Up to all
/// publishers: the byte ``answerMark`` and that topic; each knows its own.
package enum FlowMark {
    /// What an answer begins with.
    ///
    /// ZeroMQ itself uses 0 and 1, and 2 asks for a snapshot.
    package static let answerMark: UInt8 = 3

    private static let kind = Array("~mark.".utf8)

    /// Whether a message with this topic is a mark.
    package static func isMark(_ topic: UnsafeRawBufferPointer) -> Bool {
        topic.count <= 255 && topic.starts(with: kind)
    }

    static func prefix(producer: String, epoch: UInt64) -> [UInt8] {
        kind + Array("\(producer).\(epoch).".utf8)
    }

    static func topic(prefix: [UInt8], number: UInt64) -> [UInt8] { prefix + Array("\(number).".utf8) }

    /// The number of a mark with this prefix; `nil` for marks of others.
    static func number(in topic: Slice<UnsafeRawBufferPointer>, prefix: [UInt8]) -> UInt64? {
        guard topic.starts(with: prefix), topic.last == UInt8(ascii: ".") else { return nil }
        return UInt64(String(decoding: topic.dropFirst(prefix.count).dropLast(), as: UTF8.self))
    }
}
