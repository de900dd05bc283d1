import FuzzInputs
import Recordings
import Support
import Testing
import Venues

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

    @Test(
        "so are the frames of each recording, some of them damaged",
        .enabled(if: RecordingsFolder.isAvailable), arguments: LostMessageTests.recordings)
    func recorded(name: String) throws {
        let reader = try RecordingReader(path: try #require(RecordingsFolder.file(name)))
        let venue = try VenueCatalogue.standard.description(of: reader.header.venue)
        var lines: [[UInt8]] = []
        while lines.count < 250, let entry = try reader.next() {
            guard entry.direction == .in else { continue }
            // Lists of everything that is traded are long, and the same each time.
            if entry.data.count > 1 << 16 { continue }
            lines.append(entry.url.map { Array("@\($0) ".utf8) + entry.data } ?? entry.data)
        }
        property(cases: 4) { rng in
            let damaged = lines.map { rng.chance(10) ? rng.damaged($0) : $0 }
            VenueInput.run(damaged, of: .replay(of: venue))
        }
    }
}
