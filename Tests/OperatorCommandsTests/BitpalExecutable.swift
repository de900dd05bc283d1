import Foundation

/// The command as a person runs it: the executable that was built with these tests.
struct BitpalExecutable {
    struct Outcome {
        var status: Int32
        var output: String
        var errors: String

        /// Lines of standard output.
        var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// Whether the error is exactly one line.
        var hasOneErrorLine: Bool { errors.hasSuffix("\n") && errors.split(separator: "\n").count == 1 }
    }

    /// Variables that the command gets besides PATH and HOME.
    var environment: [String: String] = [:]

    /// Runs it to its end, for which a thread of its own waits.
    func run(_ arguments: [String]) async throws -> Outcome {
        let process = Process()
        process.executableURL = Self.location
        process.arguments = arguments
        process.environment = environment.merging(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]) {
            own, _ in own
        }
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    try process.run()
                    // What fills a pipe must be read before the end is waited for; errors are few.
                    let text = output.fileHandleForReading.readDataToEndOfFile()
                    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
                    process.waitUntilExit()
                    continuation.resume(
                        returning: Outcome(
                            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
                            errors: String(decoding: complaint, as: UTF8.self)))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// Where it lies, for a script that runs it itself.
    static var path: String { location.path }

    /// Beside the bundle of the tests.
    private static var location: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(
            "bitpal")
    }
}
