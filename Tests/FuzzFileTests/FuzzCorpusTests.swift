import FuzzFileInputs
import Support
import Testing

@Suite("Kept fuzz inputs of files")
struct FuzzCorpusTests {
    @Test("are taken without a trap", arguments: FuzzCorpus.files(in: "FuzzFileTests/FailCases"))
    func replay(file: String) throws {
        try FuzzCorpus.bytes(of: file).withUnsafeBytes { FileInput.run($0) }
    }

    /// A trap ends the process before anybody is told a seed, so the seeds are said beforehand.
    @Test(
        "are there for every reader, and are taken as well with a few bytes damaged",
        arguments: FileReader.allCases)
    func damaged(reader: FileReader) throws {
        let inputs = try FuzzCorpus.files(in: "FuzzFileTests/FailCases").map(FuzzCorpus.bytes)
            .filter { $0.first == reader.rawValue }
        try #require(!inputs.isEmpty)
        print("Damaged inputs of \(reader): 200 cases, seeds from 1 or from SEED")
        property { rng in
            var bytes = Array(rng.pick(inputs).dropFirst())
            for _ in 0..<rng.int(1...6) { bytes = rng.damaged(bytes) }
            ([reader.rawValue] + bytes).withUnsafeBytes { FileInput.run($0) }
        }
    }
}
