import Wire
import Foundation
import Support
import Synchronization
import Testing

@testable import GatewayAPI
@testable import GatewayStream

@Suite("Stream for an independent client", .timeLimit(.minutes(10)))
struct IndependentStreamTests {
    /// From this file, three up.
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Tools/check_stream.py").path

    /// Debian's own Python, which has Debian's package.
    private static let python = "/usr/bin/python3"

    private static func start(_ arguments: [String]) throws -> (Process, Pipe) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = arguments
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        return (process, output)
    }

    @Test(
        "serves Debian's python3-websockets: fragments, pings, numbers that follow each other, a clean close",
        arguments: ["none", "deflate"])
    func websockets(_ compression: String) async throws {
        try await StreamFixture.run { fixture async throws in
            try fixture.say(price: 1)
            try await eventually { fixture.view.ticker(StreamFixture.bitcoin) != nil }
            let address = "ws://127.0.0.1:\(fixture.port)/v1/stream"
            let (process, output) = try Self.start([
                Self.script, address, "bitmex:XBTUSD", "50", compression,
            ])
            let text = Mutex("")
            let handle = output.fileHandleForReading
            let reading = Task.detached {
                let data = handle.readDataToEndOfFile()
                text.withLock { $0 = String(decoding: data, as: UTF8.self) }
            }
            // Nobody knows when it is there: prices go on until it has what it waits for.
            var price: Int64 = 1
            while process.isRunning {
                price = price % 50 + 1
                try fixture.say(price: price)
                try await eventually {
                    fixture.view.ticker(StreamFixture.bitcoin)?.day?.value.lastPrice == price
                }
            }
            await reading.value
            let said = text.withLock { $0 }
            #expect(process.terminationStatus == 0 && said.hasPrefix("ok "), "\(said)")
        }
    }
}
