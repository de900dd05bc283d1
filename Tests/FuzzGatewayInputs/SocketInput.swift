import NIOCore

@testable import GatewayStream

/// Frames and messages of a client of the stream.
enum SocketInput {
    /// Frames say the same, however they are cut on their way; the first byte is the size of the pieces.
    static func readFrames(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let frames = Array(bytes.dropFirst())
        for takesBinary in [false, true] {
            let whole = Told(frames, by: max(frames.count, 1), takesBinary)
            precondition(Told(frames, by: max(Int(first), 1), takesBinary) == whole, "cut frames say another")
            for case .message(let message) in whole.said {
                precondition(message.bytes.count <= limit, "a long message")
                precondition(message.isBinary ? takesBinary : isText(message.bytes), "text that is none")
                if !message.isBinary { readMessage(message.bytes) }
            }
        }
    }

    /// A message that is taken names its subscription within the bounds of a name.
    static func readMessage(_ bytes: [UInt8]) {
        do throws(StreamRequest.Rejected) {
            switch try StreamRequest(bytes) {
            case .subscribe(let id, _, let key, _):
                precondition((1...64).contains(id.utf8.count) && key.utf8.count <= 200, "a long name")
            case .unsubscribe(let id): precondition((1...64).contains(id.utf8.count), "a long name")
            case .ping(let id): precondition((id?.utf8.count ?? 0) <= 64, "a long name")
            case .authenticate(let token): precondition(token.utf8.count <= 200, "a long token")
            }
        } catch {
            precondition((error.id?.utf8.count ?? 1) <= 64, "a long name")
        }
    }

    private static let limit = 512

    private static func isText(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// What somebody heard.
    private struct Told: Equatable {
        var said: [SocketFrames.ClientEvent] = []
        var fault: SocketFrames.Fault?

        init(_ bytes: [UInt8], by size: Int, _ takesBinary: Bool) {
            var frames = SocketFrames(limit: limit, takesBinary: takesBinary)
            do throws(SocketFrames.Fault) {
                for start in stride(from: 0, to: bytes.count, by: size) {
                    var piece = ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)])
                    frames.append(&piece)
                    while let next = try frames.next() { said.append(next) }
                }
            } catch {
                fault = error
            }
        }
    }
}
