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
}
