import NIOCore
import Web

/// The protocol's own part of a server's WebSocket (RFC 6455): reads frames, answers pings, ends in order.
///
/// Belongs to the handler of one channel, on its event loop.
final class ServerSocket {
    /// Whether a close was sent: nothing is read or said after it.
    private(set) var isClosing = false
    private var frames: SocketFrames

    init(_ frames: SocketFrames = SocketFrames()) { self.frames = frames }

    /// Takes over bytes as they came.
    func append(_ bytes: inout ByteBuffer) { frames.append(&bytes) }

    /// The next message; `nil` when more bytes are needed, and at the end.
    ///
    /// What is between messages is answered here, and so is who breaks the protocol.
    func next(_ context: ChannelHandlerContext) -> SocketFrames.Message? {
        do throws(SocketFrames.Fault) {
            while !isClosing, let said = try frames.next() {
                switch said {
                case .message(let message): return message
                case .ping(let payload): answerPing(payload, context)
                case .pong: continue
                case .close(let code): answerClose(code, context)
                }
            }
        } catch {
            end(code: error.code, reason: error.reason, context)
        }
        return nil
    }

    /// Writes one frame, or some.
    func send(_ context: ChannelHandlerContext, _ body: (inout ByteBuffer) -> Void) {
        context.writeAndFlush(frame(context, body), promise: nil)
    }

    /// Closes with a reason.
    func end(code: UInt16, reason: String, _ context: ChannelHandlerContext) {
        guard !isClosing else { return }
        isClosing = true
        send(context) { $0.writeSocketClose(code, reason) }
        // Our side ends with it; the client answers and closes, and one that does not is not waited for.
        let channel = context.channel
        context.close(mode: .output, promise: nil)
        context.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }

    private func answerPing(_ payload: [UInt8], _ context: ChannelHandlerContext) {
        // Only the newest needs an answer (RFC 6455, section 5.5.3): not one that would only wait.
        guard context.channel.isWritable else { return }
        send(context) { $0.writeSocketFrame(.pong, count: payload.count) { $0.writeBytes(payload) } }
    }

    private func answerClose(_ code: UInt16?, _ context: ChannelHandlerContext) {
        isClosing = true
        let answer = frame(context) { $0.writeSocketClose(code, "") }
        let channel = context.channel
        context.writeAndFlush(answer).whenComplete { _ in channel.close(promise: nil) }
    }

    private func frame(_ context: ChannelHandlerContext, _ body: (inout ByteBuffer) -> Void) -> NIOAny {
        var buffer = context.channel.allocator.buffer(capacity: 256)
        body(&buffer)
        return NIOAny(buffer)
    }
}
