import FuzzInputs
import Support
import Testing

@Suite("Kept fuzz inputs of the venues")
struct FuzzCorpusTests {
    @Test(
        "are taken without a trap, one story told", arguments: FuzzCorpus.files(in: "VenuesTests/FailCases"))
    func replay(file: String) throws {
        try FuzzCorpus.bytes(of: file).withUnsafeBytes { VenueInput.run($0) }
    }

    @Test("are taken as well with a few bytes damaged")
    func damaged() throws {
        let inputs = try FuzzCorpus.files(in: "VenuesTests/FailCases").map(FuzzCorpus.bytes)
        property(cases: 500) { rng in
            var bytes = rng.pick(inputs)
            for _ in 0..<rng.int(1...6) { bytes = rng.damaged(bytes) }
            bytes.withUnsafeBytes { VenueInput.run($0) }
        }
    }
}
