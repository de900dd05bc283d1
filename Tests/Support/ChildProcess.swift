package import Foundation
import Synchronization

/// One of the package's executables, running.
package final class ChildProcess: Sendable {
    private let process: Process
    private let exit = Mutex<(status: Int32?, waiters: [CheckedContinuation<Int32, Never>])>((nil, []))
    private let standardError: URL
    private let standardOutput: URL

    /// For one that a test ends by SIGABRT: Swift's own handler of it, which writes where the program was,
    /// takes seconds and goes on when nothing but the signal was wrong.
    package static let withoutBacktrace = ["SWIFT_BACKTRACE": "enable=no"]

    /// Starts an executable of the build that the tests belong to, or of the system by its absolute path.
    ///
    /// Its environment holds nothing of Bitpal's but what is given.
    package init(
        _ name: String, arguments: [String] = [], environment: [String: String] = [:], folder: String
    ) throws {
        process = Process()
        process.executableURL =
            name.hasPrefix("/")
            ? URL(fileURLWithPath: name) : ChildProcess.products.appendingPathComponent(name)
        process.arguments = arguments
        var inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("BITPAL_") }
        // That a process stops is what tests look at, not how fast it does on a machine that is busy.
        // One that hangs says of what.
        inherited["BITPAL_STOP_TIMEOUT"] = "120s"
        inherited.merge(environment) { $1 }
        process.environment = inherited
        let stem = "\(folder)/\(process.executableURL?.lastPathComponent ?? "")-\(UUID().uuidString)"
        standardError = URL(fileURLWithPath: stem + ".err")
        standardOutput = URL(fileURLWithPath: stem + ".out")
        for file in [standardError, standardOutput] {
            _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        }
        let (errors, output) = (
            try FileHandle(forWritingTo: standardError), try FileHandle(forWritingTo: standardOutput)
        )
        // The process has its own: a soak that starts a thousand must not keep two thousand files open.
        defer { for file in [errors, output] { try? file.close() } }
        process.standardError = errors
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        process.terminationHandler = { [self] process in
            let status =
                process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
            let waiters = exit.withLock { state in
                state.status = status
                let waiters = state.waiters
                state.waiters = []
                return waiters
            }
            for waiter in waiters { waiter.resume(returning: status) }
        }
        try process.run()
    }

    /// The folder of the test bundle holds the executables as well.
    package static let products: URL = {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        var folder = URL(fileURLWithPath: bundle).deletingLastPathComponent()
        // The testing helper of some toolchains lies elsewhere and names the bundle among its arguments.
        if !FileManager.default.fileExists(atPath: folder.appendingPathComponent("bitpal").path) {
            folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
                .deletingLastPathComponent()
        }
        return folder
    }()

    /// Its number among the processes.
    package var identifier: Int32 { process.processIdentifier }

    /// Whether it has not ended.
    package var isRunning: Bool { process.isRunning }

    /// Sends a signal.
    package func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Suspends until the process is gone; its exit status, or the negative number of the signal that ended
    /// it.
    ///
    /// One that is waited for when the time of a test is over is killed: it would be waited for for ever.
    package func exitStatus() async -> Int32 {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let status = exit.withLock { state -> Int32? in
                    if state.status == nil { state.waiters.append(continuation) }
                    return state.status
                }
                if let status { continuation.resume(returning: status) }
            }
        } onCancel: {
            if isRunning { signal(SIGKILL) }
        }
    }

    /// Gives the processes that are waited for a turn; ends the waiting when the time of the test is over.
    package static func turn() throws {
        try Task.checkCancellation()
        poll(nil, 0, 20)
    }

    /// Ends the process at once, as a crash does, or by another signal; SIGABRT is what a check that fails
    /// in libzmq ends it by.
    package func crash(by number: Int32 = SIGKILL) async {
        signal(number)
        _ = await exitStatus()
    }

    /// The first line that it writes, as what it serves at; waits for it.
    package func firstLine() throws -> String {
        while true {
            if let end = output.firstIndex(of: "\n") { return String(output[..<end]) }
            guard isRunning else { throw PropertyFailure(errors) }
            try Self.turn()
        }
    }

    /// What it wrote to standard error so far.
    package var errors: String { (try? String(contentsOf: standardError, encoding: .utf8)) ?? "" }

    /// What it wrote to standard output so far.
    package var output: String { (try? String(contentsOf: standardOutput, encoding: .utf8)) ?? "" }
}
