import NIOCore
import NIOPosix
import Support

/// Reads server-sent events over a bare socket, for as long as a test wants.
enum EventReader {
    /// Asks for an address and reads until the text is as wanted; `isEnough` is called with each new part.
    static func read(
        port: Int, _ path: String, headers: [(String, String)] = [],
        until isEnough: (String) async throws -> Bool
    ) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var head = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            try await outbound.write(ByteBuffer(string: head + "\r\n"))
            var text = ""
            for try await part in inbound {
                text += String(buffer: part)
                if try await isEnough(text) { return text }
            }
            throw PropertyFailure("the events ended: \(text)")
        }
    }
}
