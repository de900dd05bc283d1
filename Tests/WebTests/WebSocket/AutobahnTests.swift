import Foundation
import NIOPosix
import Support
import Synchronization
import Testing

@testable import Web

@Suite("Autobahn's test suite for WebSocket clients", .timeLimit(.minutes(60)))
struct AutobahnTests {
    /// All but speed, 9, and compression, 12 and 13, which a client need not offer: `SOAK=1` runs those, too.
    private static let cases =
        ProcessInfo.processInfo.environment["SOAK"] == "1"
        ? [] : ["1.*", "2.*", "3.*", "4.*", "5.*", "6.*", "7.*", "10.*"]

    /// The longest messages of the suite have 16 MiB.
    private static let configuration = WebSocketConfiguration(
        openDeadline: .seconds(60), closeDeadline: .seconds(60), maximumFrameBytes: 32 << 20,
        maximumMessageBytes: 32 << 20, maximumOutboundBytes: 64 << 20, idle: nil)

    @Test(
        "fails no case with a server that breaks the rules in every way",
        .enabled(if: Autobahn.isReady, "needs python3-venv, and packages from PyPI"))
    func suite() async throws {
        let server = try ChildProcess(
            Autobahn.tool.path(percentEncoded: false), arguments: ["--serve"] + Self.cases,
            folder: try TestDatabase.temporaryDirectory())
        defer { if server.isRunning { server.signal(SIGKILL) } }
        let address = try server.firstLine()
        let told = try await Self.converse(address + "/getCaseCount", sendsBack: false)
        let count = try #require(told.first.flatMap { Int($0) })
        for number in 0..<count {
            try await Self.converse("\(address)/runCase?agent=Bitpal&case=\(number + 1)")
        }
        try await Self.converse(address + "/updateReports?agent=Bitpal")
        let status = await server.exitStatus()
        print(server.output)
        #expect(status == 0, "\(server.output)\n\(server.errors)")
        #expect(count >= 200)
    }

    /// Hears every message until the connection ends, and sends it back; the texts that came.
    @discardableResult
    private static func converse(_ address: String, sendsBack: Bool = true) async throws -> [String] {
        let open = Mutex<WebSocketConnection?>(nil)
        let texts = Mutex<[String]>([])
        let connection = try await WebSocketConnection.connect(
            to: address, on: MultiThreadedEventLoopGroup.singleton.any(), configuration: configuration
        ) { batch in
            let connection = open.withLock { $0 }
            for index in 0..<batch.count {
                let bytes = batch.withMessage(index) { Array($0) }
                if batch.isText(index) {
                    let text = String(decoding: bytes, as: UTF8.self)
                    texts.withLock { $0.append(text) }
                    connection?.send(text: text)
                } else {
                    connection?.send(binary: bytes)
                }
            }
            return .more
        }
        if sendsBack { open.withLock { $0 = connection } }
        connection.resume()
        _ = await connection.closed()
        // It is held by what it hands its messages to.
        open.withLock { $0 = nil }
        return texts.withLock { $0 }
    }
}
