import FuzzInputs
import Support
import Testing

@Suite("Kept fuzz inputs of the wire")
struct FuzzCorpusTests {
    @Test("are taken without a trap", arguments: FuzzCorpus.files(in: "WireTests/FailCases"))
    func replay(file: String) throws {
        try FuzzCorpus.bytes(of: file).withUnsafeBytes { WireInput.run($0) }
    }
}
