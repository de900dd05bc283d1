import CZeroMQ
import Glibc
import Support
import Testing
import Threads
import Wire

@testable import Bus

@Suite("Peers that say nothing", .timeLimit(.minutes(10)))
struct SilentPeerTests {
    private static let kinds: [BusSocket.Kind] = [
        .publisher, .subscriber, .brokerInput, .brokerOutput, .stateServer, .stateClient,
    ]

    /// A peer that says nothing, and one that breaks off in the middle of ZeroMQ's greeting.
    ///
    /// Source: ZMTP 3.0, RFC 23: the greeting is 64 bytes, of which the first ten are the signature.
    private static let greetings: [[UInt8]] = [[], [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3]]

    @Test("every socket gives a handshake five seconds", arguments: kinds)
    func interval(_ kind: BusSocket.Kind) throws {
        let context = try BusContext()
        let socket = try BusSocket(kind, context: context)
        var (value, size) = (Int32(0), MemoryLayout<Int32>.size)
        #expect(zmq_getsockopt(socket.raw, ZMQ_HANDSHAKE_IVL, &value, &size) == 0)
        #expect(value == 5_000)
    }

    @Test("are dropped at every port of the broker, and cost nobody a message", arguments: greetings)
    func dropped(_ greeting: [UInt8]) async throws {
        try await TestBus.run { bus in
            let publisher = try bus.publisher()
            let subscriber = try bus.subscriber(["trade."])
            try await running([publisher, subscriber]) {
                try await publisher.waitForBroker()
                var follower = Follower(subscriber)
                try await follower.synchronized()
                let ports = bus.addresses.all.compactMap { UInt16($0.split(separator: ":").last ?? "") }
                #expect(ports.count == 3)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for port in ports {
                        for _ in 0..<8 {
                            group.addTask {
                                try await NamedThread.run(name: "silent") { () throws(BusError) in
                                    try Self.connectAndWait(port: port, saying: greeting)
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                var batch = OutboundBatch()
                batch.append(BusFixtures.trade("after"), to: try publisher.topic("trade.kraken.X."))
                publisher.offer(&batch)
                let item = try await follower.until { $0.message != nil }.last
                #expect(BusFixtures.tradeID(item?.decoded) == "after")
                #expect(subscriber.counters.gaps == 0 && subscriber.counters.malformed == 0)
            }
        }
    }

    /// Returns when the other side ends the connection.
    private static func connectAndWait(port: UInt16, saying greeting: [UInt8]) throws(BusError) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw .socketFailed(operation: "socket", code: errno) }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw .socketFailed(operation: "connect", code: errno) }
        let quietly = Int32(MSG_NOSIGNAL)
        _ = greeting.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, quietly) }
        // The other side says its greeting, and nothing more: an end or an error is what we wait for.
        var bytes = [UInt8](repeating: 0, count: 256)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count > 0 || count < 0 && errno == EINTR { continue }
            return
        }
    }
}
