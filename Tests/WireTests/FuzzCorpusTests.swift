import FuzzInputs
import Support
import Testing

@Suite("Kept fuzz inputs of the wire")
struct FuzzCorpusTests {
    @Test("are taken without a trap", arguments: FuzzCorpus.files(in: "WireTests/FailCases"))
    func replay(file: String) throws {
        try FuzzCorpus.bytes(of: file).withUnsafeBytes { WireInput.run($0) }
    }

    @Test("are taken as well with a few bytes damaged")
    func damaged() throws {
        let inputs = try FuzzCorpus.files(in: "WireTests/FailCases").map(FuzzCorpus.bytes)
        property(cases: 500) { rng in
            var bytes = rng.pick(inputs)
            for _ in 0..<rng.int(1...6) { bytes = rng.damaged(bytes) }
            bytes.withUnsafeBytes { WireInput.run($0) }
        }
    }
}
