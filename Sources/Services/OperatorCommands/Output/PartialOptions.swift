import ArgumentParser
import Glibc
import Recordings
import Shapes

/// What a command does about files that it could not read whole.
struct PartialOptions: ParsableArguments {
    /// For the help of a command that reads files.
    static let rule =
        "What cannot be read ends the command with 1 and one line that counts it; the rules of what can be "
        + "read are in README.md, \"Files that are read\"."

    @Flag(help: "Take what can be read of a damaged file, and say on standard error what is missing.")
    var partial = false

    /// Whether faults of a file are thrown or counted.
    var policy: FaultPolicy { partial ? .count : .stop }

    /// Ends a command whose files could not be read whole, unless a part is enough.
    ///
    /// - Throws: ``CommandFailure`` in the faults' words.
    func check(_ faults: [InputFaults]) throws {
        if let words = InputFaults.words(of: faults), !partial { throw CommandFailure(.failed, words) }
    }

    /// Says on standard error what of the files could not be read, if anything.
    ///
    /// - Throws: ``OutputClosed`` or ``CommandFailure`` when it cannot be written.
    func report(_ faults: [InputFaults]) throws {
        guard let words = InputFaults.words(of: faults) else { return }
        let errors = StandardOutput(descriptor: STDERR_FILENO)
        try errors.writeLine("bitpal: only a part was read: \(words)")
        try errors.flush()
    }
}

extension InputFaults {
    /// One line for a person; `nil` for files that are whole.
    static func words(of faults: [InputFaults]) -> String? {
        let words = faults.filter { !$0.isWhole }.map(\.words)
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }

    /// What a reader of such rows says of that line.
    static func refusal(ofIncomplete words: String) -> String {
        "says that what it ends is incomplete: \(words)"
    }
}

/// The last line of rows of which some are missing.
struct IncompleteLine: WireBody {
    static let shape = BodyShape<IncompleteLine>("Incomplete") {
        Field(key, \.words, "What could not be read.", example: "a.jsonl.gz: cut at line 7")
    }

    /// What a reader of such rows looks for.
    static let key = "incomplete"

    private let words: String

    /// `nil` for files that are whole.
    init?(of faults: [InputFaults]) {
        guard let words = InputFaults.words(of: faults) else { return nil }
        self.words = words
    }
}
