import Bus
import Foundation
import Support
import Testing
import Threads
import Wire

/// Python with pyzmq and protobuf in a virtual environment under the build folder, made once.
private enum PythonEnvironment {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let folder = root.appending(path: ".build/bus-python")

    /// protobuf 4.21 belongs to the protoc 3.21 of Debian 12.
    private static let setUp = """
        set -e
        mkdir -p "$1"
        exec 9> "$1/lock"
        flock 9
        if [ ! -e "$1/venv/complete" ]; then
            python3 -m venv --clear "$1/venv"
            "$1/venv/bin/pip" install --quiet --disable-pip-version-check pyzmq protobuf==4.21.12
            touch "$1/venv/complete"
        fi
        mkdir -p "$1/schema"
        protoc -I "$2/proto" --python_out="$1/schema" "$2"/proto/bitpal/v1/*.proto
        """

    /// Whether Python can be used; if not, says loudly why.
    static let isReady: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", setUp, "sh", folder.path, root.path]
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        if process.terminationStatus == 0 { return true }
        FileHandle.standardError.write(
            Data("SKIPPED: the README's Python subscriber (no python3, protoc, pip or network)\n".utf8))
        return false
    }()
}

@Suite("The Python subscriber of the broker's README", .timeLimit(.minutes(10)))
struct PythonSubscriberTests {
    @Test(
        "runs as it is printed and decodes our messages",
        .enabled(if: PythonEnvironment.isReady, "needs python3, protoc, and pyzmq from pip"))
    func runs() async throws {
        let script = try script()
        try await TestBus.run { bus in try await check(script, on: bus, in: PythonEnvironment.folder) }
    }

    @Test(
        "with the three lines of the README comes to a bus with keys",
        .enabled(if: PythonEnvironment.isReady, "needs python3, protoc, and pyzmq from pip"))
    func keys() async throws {
        let lines = try fence("README.md", beginning: "import zmq.auth\n")
        #expect(lines.split(separator: "\n").count == 3)
        let script = try script().replacing("socket.connect", with: "\(lines)\nsocket.connect")
        let reader = BusRights(publish: [], subscribe: ["trade."])
        try await GuardedBus.run([("operator", .unlimited), ("reader", reader)]) { bus in
            let place = URL(filePath: bus.folder.path).deletingLastPathComponent()
            try await check(script, on: bus.client("operator"), in: place)
        }
    }

    /// Runs the script until it has printed what is published.
    private func check(_ script: String, on bus: TestBus, in folder: URL) async throws {
        let publisher = try bus.publisher()
        let status = try bus.subscriber(["service.status."])
        try await running([publisher, status]) {
            try await publisher.waitForBroker()
            let (python, output) = try start(script, [bus.addresses.subscribe, "trade.kraken."], in: folder)
            // Service groups of other tests ignore SIGTERM, and what is ignored stays so in a child.
            defer { kill(python.processIdentifier, SIGKILL) }
            // The broker counts the prefixes that somebody follows: heartbeats, its own status, and then
            // Python's.
            var follower = Follower(status)
            _ = try await follower.until { item in
                guard case .serviceStatus(let status) = item.decoded else { return false }
                return status.figures["subscriptions"] == 3
            }
            var batch = OutboundBatch()
            batch.append(
                BusFixtures.trade("from-swift"), to: try publisher.topic(Topic.trade(BusFixtures.bitcoin))
            )
            publisher.offer(&batch)
            // The last field of a trade closes its braces.
            let text = await read(output, upTo: "}")
            #expect(text.contains("trade.kraken.BTC%2FUSD. producer: \"tester\""))
            #expect(text.contains("trade_id: \"from-swift\""))
            #expect(text.contains("sequence: 1\n"))
        }
    }

    @Test("is ten lines long")
    func isShort() throws {
        let lines = try script().split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
        #expect(lines.count == 10)
    }

    /// The one Python fence of the broker's README, exactly.
    private func script() throws -> String { try fence("services/bus-broker/README.md", beginning: "") }

    /// The first Python fence of a file that begins so.
    private func fence(_ path: String, beginning: String) throws -> String {
        let readme = try String(
            contentsOf: PythonEnvironment.root.appending(path: path), encoding: .utf8)
        let start = try #require(readme.range(of: "```python\n\(beginning)"))
        let body = readme.index(start.upperBound, offsetBy: -beginning.count)
        let end = try #require(readme.range(of: "\n```", range: start.upperBound..<readme.endIndex))
        return String(readme[body..<end.lowerBound])
    }

    private func start(
        _ script: String, _ arguments: [String], in folder: URL
    ) throws -> (Process, FileHandle) {
        let process = Process()
        let output = Pipe()
        process.executableURL = PythonEnvironment.folder.appending(path: "venv/bin/python")
        process.arguments = ["-c", script] + arguments
        process.currentDirectoryURL = folder
        process.environment = ["PYTHONPATH": PythonEnvironment.folder.appending(path: "schema").path]
        process.standardOutput = output
        // A child that holds the runner's own output would keep the runner waiting for its end.
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return (process, output.fileHandleForReading)
    }

    /// What a process prints, up to the first piece that has these words in it, or to its end.
    private func read(_ output: FileHandle, upTo words: String) async -> String {
        await NamedThread.run(name: "read-python") {
            var text = ""
            while !text.contains(words) {
                let piece = output.availableData
                if piece.isEmpty { return text }
                text += String(decoding: piece, as: UTF8.self)
            }
            return text
        }
    }
}
