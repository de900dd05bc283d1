package import ArgumentParser
import Recordings

/// The command `bitpal normalize RECORDING`.
package struct NormalizeCommand: ParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "normalize",
        abstract: "Turns a recording into normalised lines of JSON, without any network.",
        discussion: """
            \(PartialOptions.rule) Rows are printed while the recording is read: where some are missing, the \
            last line is an object with the one key "incomplete". A summary is printed only of a whole \
            recording, or with --partial, and counts under "input" what was read and what was not.
            """)

    @Argument(help: "A recording: gzipped lines of raw frames, as `bitpal record` writes it.")
    var recording: String

    @Option(help: "What to print: \(Emission.allCases.map(\.rawValue).joined(separator: ", ")).")
    var emit = Emission.summary

    @OptionGroup var partial: PartialOptions

    /// An unconfigured command, for the parser.
    package init() {}

    /// Prints the recording.
    ///
    /// - Throws: ``CommandFailure`` naming the file and what could not be read of it.
    package func run() throws {
        let output = StandardOutput()
        let faults: InputFaults
        do {
            var normalizer = try Normalizer(path: recording, emission: emit)
            faults = try normalizer.run(isPartial: partial.partial, output.write)
        } catch let error as RecordingError {
            throw CommandFailure(.failed, error.description)
        }
        try output.flush()
        try partial.check([faults])
        try partial.report([faults])
    }
}
