import Foundation
import GatewayFrame
import Instruments
import NIOCore
import NIOPosix
import Synchronization

/// The clients of ``StreamBench``, in a process of their own: `bitpal-bench --stream-clients PORT`.
///
/// Says `ready` when all have their snapshot, and its figures when its input ends.
enum StreamLoad {
    /// What was seen.
    struct Figures: Codable {
        /// Changes that came.
        var changes: Int
        /// Changes that a client was told it will not see.
        var skipped: Int
        /// Milliseconds from publishing to reading.
        var p50: Double
        /// Milliseconds from publishing to reading.
        var p99: Double
    }

    /// What all clients saw.
    struct Seen {
        var snapshots = 0
        var skipped = 0
        /// Nanoseconds from publishing to reading of each change.
        var delays: [Int64] = []
    }

    static let seen = Mutex(Seen())

    static func run(port: Int) async throws {
        OpenFiles.raiseLimit()
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        for number in 0..<StreamBench.clients {
            _ = try await bootstrap.channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        LoadClient(StreamBench.instrument(number), port))
                }
            }.connect(host: "127.0.0.1", port: port).get()
        }
        while seen.withLock({ $0.snapshots }) < StreamBench.clients {
            try await Task.sleep(for: .milliseconds(20))
        }
        say("ready")
        // Nothing else runs on the thread that waits here: the clients have their event loops.
        while readLine() != nil {}
        // What is on its way.
        try await Task.sleep(for: .seconds(1))
        let figures = seen.withLock { seen in
            let delays = seen.delays.map { Double($0) / 1e6 }.sorted()
            return Figures(
                changes: delays.count, skipped: seen.skipped, p50: delays.percentile(0.5),
                p99: delays.percentile(0.99))
        }
        say(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// Nanoseconds since 1970 by the machine's clock.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// One client: shakes hands, subscribes to a ticker, and times what it is told.
private final class LoadClient: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let timeKey = Array("\"last_trade_time\":\"".utf8)

    private let instrument: InstrumentID
    private let port: Int
    private var bytes = ByteBuffer()
    private var isOpen = false

    init(_ instrument: InstrumentID, _ port: Int) {
        self.instrument = instrument
        self.port = port
    }

    func channelActive(context: ChannelHandlerContext) {
        let head = """
            GET /v1/stream HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: Upgrade\r\n\
            Upgrade: websocket\r\n\
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
            """
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: head)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        bytes.writeBuffer(&part)
        if !isOpen {
            let view = bytes.readableBytesView
            guard let end = view.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
            bytes.moveReaderIndex(to: end.upperBound)
            isOpen = true
            let text = "{\"op\":\"subscribe\",\"id\":\"t\",\"channel\":\"ticker\",\"key\":\"\(instrument)\"}"
            send(0x81, Array(text.utf8), context)
        }
        while read(context) {}
        if bytes.readableBytes == 0 { bytes.clear() } else { bytes.discardReadBytes() }
    }

    /// A key of zeros masks nothing.
    private func send(_ first: UInt8, _ payload: [UInt8], _ context: ChannelHandlerContext) {
        var frame = ByteBuffer(bytes: [first, 0x80 | UInt8(payload.count), 0, 0, 0, 0])
        frame.writeBytes(payload)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    private func read(_ context: ChannelHandlerContext) -> Bool {
        let start = bytes.readerIndex
        guard let first: UInt8 = bytes.getInteger(at: start),
            let short: UInt8 = bytes.getInteger(at: start + 1)
        else { return false }
        var (count, size) = (Int(short), 2)
        if short == 126 {
            guard let long: UInt16 = bytes.getInteger(at: start + 2) else { return false }
            (count, size) = (Int(long), 4)
        }
        guard bytes.readableBytes >= size + count else { return false }
        bytes.moveReaderIndex(forwardBy: size)
        let payload = bytes.readSlice(length: count) ?? ByteBuffer()
        if first == 0x89 { send(0x8A, [], context) } else if first == 0x81 { take(payload.readableBytesView) }
        return true
    }

    private func take(_ text: ByteBufferView) {
        if text.starts(with: "{\"type\":\"change\"".utf8) {
            guard let key = text.firstRange(of: Self.timeKey) else { return }
            let time = String(
                decoding: text[key.upperBound...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
            guard let said = Timestamp(iso8601: time) else { return }
            let delay = StreamLoad.now() - said.nanoseconds
            StreamLoad.seen.withLock { $0.delays.append(delay) }
        } else if text.starts(with: "{\"type\":\"snapshot\"".utf8) {
            StreamLoad.seen.withLock { $0.snapshots += 1 }
        } else if text.starts(with: "{\"type\":\"skipped\"".utf8) {
            let digits = text.filter { (0x30...0x39).contains($0) }
            StreamLoad.seen.withLock { $0.skipped += Int(String(decoding: digits, as: UTF8.self)) ?? 0 }
        }
    }
}
