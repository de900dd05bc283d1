package import Foundation

/// Autobahn's fuzzing client and server in a virtual environment under the build folder, made once.
package enum Autobahn {
    /// The script that runs them.
    package static let tool = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Tools/autobahn/run")

    /// Whether the suite can be had; if not, its script has said so loudly.
    package static let isReady: Bool = {
        do {
            let process = try start("--prepare")
            process.waitUntilExit()
            return process.terminationStatus != 2
        } catch {
            FileHandle.standardError.write(Data("SKIPPED: Autobahn's test suite: \(error)\n".utf8))
            return false
        }
    }()

    /// Starts the script; what it says is on the terminal, or goes to a pipe.
    package static func start(_ argument: String, output: Pipe? = nil) throws -> Process {
        let process = Process()
        process.executableURL = tool
        process.arguments = [argument]
        if let output { (process.standardOutput, process.standardError) = (output, output) }
        try process.run()
        return process
    }
}
