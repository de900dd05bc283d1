package import ArgumentParser
import Recordings

/// The command `bitpal normalize RECORDING`.
package struct NormalizeCommand: ParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "normalize",
        abstract: "Turns a recording into normalised lines of JSON, without any network.")

    @Argument(help: "A recording: gzipped lines of raw frames, as `bitpal record` writes it.")
    var recording: String

    @Option(help: "What to print: \(Emission.allCases.map(\.rawValue).joined(separator: ", ")).")
    var emit = Emission.summary

    /// An unconfigured command, for the parser.
    package init() {}

    /// Prints the recording.
    ///
    /// - Throws: ``CommandFailure`` naming the file and the line.
    package func run() throws {
        let output = StandardOutput()
        do {
            var normalizer = try Normalizer(path: recording, emission: emit)
            try normalizer.run(output.write)
        } catch let error as RecordingError {
            // What was whole before the fault is still worth having.
            try output.flush()
            throw CommandFailure(.failed, error.description)
        }
        try output.flush()
    }
}
