import NIOCore
import NIOPosix
import NIOSSL
import Support
import Synchronization

/// A connection over TLS that believes every certificate, and says which it was shown.
final class TLSClient {
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let shown: ShownCertificate
    private let port: Int
    private var text = ""

    private init(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>, _ shown: ShownCertificate, port: Int
    ) {
        self.inbound = inbound.makeAsyncIterator()
        (self.outbound, self.shown, self.port) = (outbound, shown, port)
    }

    /// Connects and runs `body`.
    static func run<Value: Sendable>(
        port: Int, _ body: (TLSClient) async throws -> Value
    ) async throws -> Value {
        let shown = ShownCertificate()
        let context = try NIOSSLContext(configuration: .makeClientConfiguration())
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(context: context, serverHostname: "localhost") {
                        certificates, promise in
                        shown.note(certificates.first?.serialNumber ?? [])
                        promise.succeed(.certificateVerified)
                    }
                    try channel.pipeline.syncOperations.addHandler(handler)
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(TLSClient(inbound, outbound, shown, port: port))
        }
    }

    /// The number of the certificate that who connects now is shown.
    static func serial(_ port: Int) async throws -> [UInt8] {
        try await run(port: port) { client in try await client.serial() }
    }

    /// The number of the certificate that this connection was shown.
    func serial() async throws -> [UInt8] {
        // An answer comes after the handshake.
        _ = try await ask("/health/live")
        return shown.serial
    }

    /// Asks, and reads the whole answer; the connection stays.
    func ask(_ path: String) async throws -> String {
        let request = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
        try await outbound.write(ByteBuffer(string: request))
        while true {
            if let answer = whole() { return answer }
            guard let part = try await inbound.next(isolation: #isolation) else {
                throw PropertyFailure("it ended: \(text)")
            }
            text += String(buffer: part)
        }
    }

    /// The next answer, once all of it is there.
    private func whole() -> String? {
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        guard let end = lines.firstIndex(of: "") else { return nil }
        let header = lines[..<end].first { $0.lowercased().hasPrefix("content-length:") }
        let length = header.flatMap { Int($0.drop { $0 != ":" }.dropFirst().filter { $0 != " " }) } ?? 0
        let head = lines[..<end].joined(separator: "\r\n") + "\r\n\r\n"
        guard text.utf8.count >= head.utf8.count + length else { return nil }
        let answer = String(decoding: text.utf8.prefix(head.utf8.count + length), as: UTF8.self)
        text = String(decoding: text.utf8.dropFirst(answer.utf8.count), as: UTF8.self)
        return answer
    }
}

/// What a handshake has shown.
private final class ShownCertificate: Sendable {
    private let number = Mutex<[UInt8]>([])
    var serial: [UInt8] { number.withLock { $0 } }
    func note(_ serial: [UInt8]) { number.withLock { $0 = serial } }
}
