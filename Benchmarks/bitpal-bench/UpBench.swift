import Bus
import Foundation
import Instruments
import Logging
import MarketData
import Wire

/// `bitpal up` as a person starts it: time to the first live book, memory at rest, socket to `book.top`.
enum UpBench {
    /// Runs of each, of which the middle one counts.
    private static let runs = 5
    private static let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }

    static func run(_ sessions: [Session]) async throws -> [Measurement] {
        var rows: [Measurement] = []
        var (first, again): ([Observation], [Observation]) = ([], [])
        for run in 0..<Self.runs {
            first.append(
                try await observe(arguments: [], directory: "\(run)", seconds: 20, afterFirstBook: 2))
            again.append(
                try await observe(arguments: [], directory: "\(run)", seconds: 20, afterFirstBook: 2))
        }
        rows.append(
            Measurement(
                "up in demo: start to first live book", "s", first.map(\.firstBook).middle, goal: "1.5 s",
                meets: first.map(\.firstBook).middle <= 1.5,
                baseline: "second start, cluster there", baselineValue: again.map(\.firstBook).middle))
        rows.append(
            Measurement(
                "up in demo: private memory", "MB", first.map(\.privateMegabytes).middle, goal: "45 MB",
                meets: first.map(\.privateMegabytes).middle <= 45, baseline: "second start",
                baselineValue: again.map(\.privateMegabytes).middle))
        rows.append(
            Measurement(
                "up in demo: resident memory", "MB", first.map(\.residentMegabytes).middle, goal: "printed",
                meets: nil, baseline: "second start", baselineValue: again.map(\.residentMegabytes).middle))
        for session in sessions {
            var runs: [Observation] = []
            for _ in 0..<Self.runs {
                let run = try await observe(
                    arguments: ["--recording", session.file, "--speed", session.speed],
                    directory: session.speed, seconds: session.seconds)
                guard !run.latencies.isEmpty else { throw BenchFailure("no top of \(session.file) came") }
                runs.append(run)
            }
            for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
                rows.append(
                    Measurement(
                        "socket to book.top, \(session.name), \(name)", "us",
                        runs.map { $0.latencies.percentile(share) }.middle,
                        goal: "printed", meets: nil, baseline: "tops seen",
                        baselineValue: runs.map { Double($0.latencies.count) }.middle))
            }
        }
        return rows
    }

    /// A recording played by `bitpal up` while tops are timed.
    struct Session {
        var name: String
        var file: String
        var speed: String
        /// For how long it is watched.
        var seconds: Double
    }

    private struct Observation {
        var firstBook = Double.infinity
        var privateMegabytes = 0.0
        var residentMegabytes = 0.0
        /// Microseconds from the read of a venue's message to the hand-over of the top that it changed,
        /// sorted.
        var latencies: [Double] = []
    }

    /// Watches `up` for so many seconds, or until some after the first live book.
    private static func observe(
        arguments: [String], directory: String, seconds limit: Double,
        afterFirstBook patience: Double = .infinity
    ) async throws -> Observation {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "bitpal-bench-\(getpid())/\(directory)"
        ).path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("bitpal")
        process.arguments =
            ["up", "--profile", "demo", "--http", "127.0.0.1:0", "--data-dir", folder] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let context = try BusContext()
        let subscriber = try Subscriber(
            context: context,
            configuration: SubscriberConfiguration(name: "bench", prefixes: ["book.top.", "heartbeat."]),
            logger: logger)
        let started = seconds()
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        return await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await subscriber.run() }
            var observation = Observation()
            for await batch in subscriber.batches {
                for case .message(let message) in batch.events
                where !message.isRetained || observation.firstBook == .infinity {
                    guard case .bookTop(_, let top)? = try? batch.decode(message), top.state == .live else {
                        continue
                    }
                    observation.firstBook = min(observation.firstBook, seconds() - started)
                    let elapsed = message.publishedTime.nanoseconds - top.receivedTime.nanoseconds
                    if elapsed > 0 { observation.latencies.append(Double(elapsed) / 1_000) }
                }
                let elapsed = seconds() - started
                if elapsed > limit || elapsed > observation.firstBook + patience { break }
            }
            let memory = ProcessMemory(of: process.processIdentifier)
            observation.privateMegabytes = memory.privateBytes / 1e6
            observation.residentMegabytes = memory.residentBytes / 1e6
            observation.latencies.sort()
            subscriber.finish()
            group.cancelAll()
            return observation
        }
    }
}
