import Bus
import Foundation
import Instruments
import Logging
import MarketData
import Wire

/// `bitpal up` as a person starts it: time to the first live book, memory at rest, socket to `book.top`.
enum UpBench {
    private static let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }

    static func run(_ sessions: [Session]) async throws -> [Measurement] {
        var rows: [Measurement] = []
        let idle = try await observe(arguments: [], seconds: 20)
        let again = try await observe(arguments: [], seconds: 5)
        rows.append(
            Measurement(
                "up in demo: start to first live book", "s", idle.firstBook, goal: "1.5 s",
                meets: idle.firstBook <= 1.5,
                baseline: "second start, cluster there", baselineValue: again.firstBook))
        rows.append(
            Measurement(
                "up in demo: resident memory", "MB", idle.residentMegabytes, goal: "45 MB",
                meets: idle.residentMegabytes <= 45, baseline: "second start",
                baselineValue: again.residentMegabytes))
        for session in sessions {
            let run = try await observe(
                arguments: ["--recording", session.file, "--speed", session.speed], seconds: session.seconds)
            guard !run.latencies.isEmpty else { throw BenchFailure("no top of \(session.file) came") }
            for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
                rows.append(
                    Measurement(
                        "socket to book.top, \(session.name), \(name)", "us", run.latencies.percentile(share),
                        goal: "printed", meets: nil, baseline: "tops seen",
                        baselineValue: Double(run.latencies.count)))
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
        var residentMegabytes = 0.0
        /// Microseconds from the read of a venue's message to the hand-over of the top that it changed,
        /// sorted.
        var latencies: [Double] = []
    }

    private static func observe(arguments: [String], seconds limit: Double) async throws -> Observation {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bitpal-bench-\(getpid())")
            .path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("bitpal")
        process.arguments = ["up", "--profile", "demo", "--data-dir", folder] + arguments
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
                if seconds() - started > limit { break }
            }
            observation.residentMegabytes = resident(process.processIdentifier)
            observation.latencies.sort()
            subscriber.finish()
            group.cancelAll()
            return observation
        }
    }

    /// `VmRSS` of a process, in millions of bytes.
    private static func resident(_ process: Int32) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else {
            return 0
        }
        for line in text.split(separator: "\n") where line.hasPrefix("VmRSS:") {
            return (line.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) * 1_024
                / 1_000_000
        }
        return 0
    }
}
