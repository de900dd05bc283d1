import FuzzGatewayInputs
import Support
import Testing

@Suite("Kept fuzz inputs of the gateway")
struct FuzzCorpusTests {
    @Test("are taken without a trap", arguments: FuzzCorpus.files(in: "GatewayAPITests/FailCases"))
    func replay(file: String) throws {
        try FuzzCorpus.bytes(of: file).withUnsafeBytes { GatewayInput.run($0) }
    }

    @Test("reach every reader", arguments: GatewayReader.allCases)
    func reach(reader: GatewayReader) throws {
        #expect(try !Self.inputs(of: reader).isEmpty)
    }

    /// A trap ends the process before anybody is told a seed, so the seeds are said beforehand.
    @Test("are taken as well with a few bytes damaged", arguments: GatewayReader.allCases)
    func damaged(reader: GatewayReader) throws {
        let inputs = try Self.inputs(of: reader)
        print("Damaged inputs of \(reader): 200 cases, seeds from 1 or from SEED")
        property { rng in
            var bytes = Array(rng.pick(inputs).dropFirst())
            for _ in 0..<rng.int(1...6) { bytes = rng.damaged(bytes) }
            ([reader.rawValue] + bytes).withUnsafeBytes { GatewayInput.run($0) }
        }
    }

    /// The kept inputs that a reader is given.
    private static func inputs(of reader: GatewayReader) throws -> [[UInt8]] {
        try FuzzCorpus.files(in: "GatewayAPITests/FailCases").map(FuzzCorpus.bytes)
            .filter { $0.first == reader.rawValue }
    }
}
