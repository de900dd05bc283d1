import GatewayFrame
import NIOCore
import Shapes
import Web

/// Writes what the stream says as JSON; the data was encoded once and is only copied.
enum StreamEncoder {
    /// A piece as one text message.
    static func write(
        _ piece: StreamLog.Piece, id: String, conflation: Conflation, into buffer: inout ByteBuffer
    ) {
        let name = quoted(id)
        let head: String
        var data: [[UInt8]] = []
        switch piece {
        case .skipped(let count): head = "{\"type\":\"skipped\",\"id\":\(name),\"count\":\(count)"
        case .snapshot(let place, let bytes):
            head =
                "{\"type\":\"snapshot\",\"id\":\(name),\"epoch\":\(place.epoch),"
                + "\"sequence\":\(place.sequence),\"data\":"
            data = bytes
        case .change(let sequence, let bytes):
            head = "{\"type\":\"change\",\"id\":\(name),\"sequence\":\(sequence),\"data\":"
            data = bytes
        }
        let isList = conflation == .items && head.last == ":"
        let count = head.utf8.count + size(data, isList: isList) + 1
        buffer.writeSocketFrame(.text, count: count) {
            $0.writeString(head)
            write(data, isList: isList, into: &$0)
            $0.writeInteger(UInt8(ascii: "}"))
        }
    }

    /// A message that is whole already.
    static func write(_ text: String, into buffer: inout ByteBuffer) {
        buffer.writeSocketFrame(.text, count: text.utf8.count) { $0.writeString(text) }
    }

    /// The data of a piece: a value, or a list of items.
    static func write(_ data: [[UInt8]], isList: Bool, into buffer: inout ByteBuffer) {
        if isList { buffer.writeInteger(UInt8(ascii: "[")) }
        for (index, bytes) in data.enumerated() {
            if index > 0 { buffer.writeInteger(UInt8(ascii: ",")) }
            buffer.writeBytes(bytes)
        }
        if isList { buffer.writeInteger(UInt8(ascii: "]")) }
    }

    private static func size(_ data: [[UInt8]], isList: Bool) -> Int {
        data.reduce(0) { $0 + $1.count } + max(0, data.count - 1) + (isList ? 2 : 0)
    }

    static func subscribed(_ id: String, _ channel: StreamChannel, _ key: String) -> String {
        "{\"type\":\"subscribed\",\"id\":\(quoted(id)),\"channel\":\"\(channel.rawValue)\","
            + "\"key\":\(quoted(key))}"
    }

    static func unsubscribed(_ id: String) -> String { "{\"type\":\"unsubscribed\",\"id\":\(quoted(id))}" }

    static func pong(_ id: String?) -> String {
        id.map { "{\"type\":\"pong\",\"id\":\(quoted($0))}" } ?? "{\"type\":\"pong\"}"
    }

    static func heartbeat(_ time: String) -> String { "{\"type\":\"heartbeat\",\"time\":\"\(time)\"}" }

    static let authenticated = "{\"type\":\"authenticated\"}"

    static func error(_ problem: Problem, id: String?) -> String {
        let name = id.map { "\"id\":\(quoted($0))," } ?? ""
        return "{\"type\":\"error\",\(name)\"problem\":\(json(problem))}"
    }

    /// Text as JSON.
    static func quoted(_ text: String) -> String { json(text) }

    private static func json(_ value: some WireValue) -> String {
        String(decoding: value.json, as: UTF8.self)
    }
}
