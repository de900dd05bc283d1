import Support
import Testing

@testable import BusBroker

@Suite("What the broker keeps of a book")
struct BookRetentionTests {
    private static let limits = BookRetention.Limits(deltas: 4, bytes: 1_000)

    private static func at(_ sequence: UInt64, epoch: UInt64 = 1, producer: Int32 = 0)
        -> BookRetention.Position
    {
        BookRetention.Position(producer: producer, epoch: epoch, sequence: sequence)
    }

    /// A message is its own number, so that a test can read what is kept.
    private func delta(
        _ book: inout BookRetention, _ sequence: UInt64, epoch: UInt64 = 1,
        limits: BookRetention.Limits = limits
    ) -> BookRetention.Outcome {
        withUnsafeBytes(of: UInt8(truncatingIfNeeded: sequence)) {
            book.take(delta: $0, at: Self.at(sequence, epoch: epoch), limits: limits)
        }
    }

    private func snapshot(
        _ book: inout BookRetention, _ position: BookRetention.Position?, _ mark: UInt8 = 100
    ) -> BookRetention.Outcome {
        withUnsafeBytes(of: mark) { book.take(snapshot: $0, continuing: position) }
    }

    private func kept(_ book: BookRetention) -> [UInt8] {
        var kept = book.snapshot
        book.forEachDelta { kept += $0 }
        return kept
    }

    @Test("keeps the snapshot and the deltas after it")
    func stitches() {
        var book = BookRetention()
        #expect(delta(&book, 1) == .incomplete)
        #expect(delta(&book, 2) == .incomplete)
        #expect(snapshot(&book, Self.at(1)) == .kept)
        #expect(book.isComplete)
        #expect(delta(&book, 3) == .kept)
        #expect(kept(book) == [100, 2, 3])
        #expect(snapshot(&book, Self.at(3), 101) == .kept)
        #expect(kept(book) == [101])
        #expect(delta(&book, 4) == .kept)
        #expect(kept(book) == [101, 4])
    }

    @Test("lets no older snapshot replace a newer one")
    func olderSnapshot() {
        var book = BookRetention()
        #expect(snapshot(&book, Self.at(5, epoch: 2)) == .kept)
        #expect(delta(&book, 6, epoch: 2) == .kept)
        #expect(snapshot(&book, Self.at(4, epoch: 2), 90) == .old)
        #expect(snapshot(&book, Self.at(900, epoch: 1), 91) == .old)
        #expect(kept(book) == [100, 6])
        #expect(snapshot(&book, Self.at(5, epoch: 2), 102) == .kept)
        #expect(kept(book) == [102, 6])
    }

    @Test("keeps nothing across a hole but says so, until a snapshot reaches past it")
    func hole() {
        var book = BookRetention()
        #expect(snapshot(&book, Self.at(1)) == .kept)
        #expect(delta(&book, 2) == .kept)
        #expect(delta(&book, 4) == .incomplete)
        #expect(!book.isComplete && kept(book) == [4])
        #expect(snapshot(&book, Self.at(2), 101) == .old)
        #expect(!book.isComplete)
        #expect(snapshot(&book, Self.at(3), 102) == .kept)
        #expect(book.isComplete && kept(book) == [102, 4])
    }

    @Test("gives up deltas past the bound, announces it before, and recovers with the next snapshot")
    func bound() {
        var book = BookRetention()
        #expect(snapshot(&book, Self.at(0)) == .kept)
        #expect(delta(&book, 1) == .kept)
        #expect(delta(&book, 2) == .kept)
        #expect(delta(&book, 3) == .long)
        #expect(delta(&book, 4) == .long)
        #expect(delta(&book, 5) == .incomplete)
        #expect(book.isOverflown && !book.isComplete && kept(book).isEmpty)
        #expect(delta(&book, 6) == .incomplete)
        #expect(snapshot(&book, Self.at(5), 101) == .old)
        #expect(snapshot(&book, Self.at(6), 102) == .kept)
        #expect(book.isComplete && !book.isOverflown)
        #expect(delta(&book, 7) == .kept)
        #expect(kept(book) == [102, 7])
    }

    @Test("forgets the past life of a producer with the first message of the new one")
    func newLife() {
        var book = BookRetention()
        #expect(snapshot(&book, Self.at(7)) == .kept)
        #expect(delta(&book, 1, epoch: 2) == .incomplete)
        #expect(kept(book) == [1])
        #expect(snapshot(&book, Self.at(1, epoch: 2), 101) == .kept)
        #expect(kept(book) == [101] && book.isComplete)
    }

    @Test("takes the snapshot of a new life before its first delta")
    func snapshotFirst() {
        var book = BookRetention()
        #expect(snapshot(&book, Self.at(9)) == .kept)
        #expect(snapshot(&book, Self.at(2, epoch: 2), 101) == .kept)
        #expect(delta(&book, 2, epoch: 2) == .old)
        #expect(delta(&book, 3, epoch: 2) == .kept)
        #expect(kept(book) == [101, 3])
    }

    @Test("keeps a snapshot that joins no stream only where there is no stream")
    func unjoined() {
        var book = BookRetention()
        #expect(snapshot(&book, nil) == .kept)
        #expect(book.isComplete)
        #expect(delta(&book, 1) == .incomplete)
        #expect(snapshot(&book, nil) == .old)
    }

    @Test(
        "says that it is complete only when a reader of what it keeps reaches the present",
        arguments: [4, 1_000])
    func neverHalfTrue(deltaLimit: Int) {
        let limits = BookRetention.Limits(deltas: deltaLimit, bytes: 100_000)
        property { generator in
            var book = BookRetention()
            // The publisher's side: `last` is the number of the last delta that it sent in its present life.
            var (epoch, last, announced) = (UInt64(1), UInt64(0), BookRetention.Position?.none)
            for _ in 0..<generator.int(1...80) {
                switch generator.int(0...11) {
                case 0:
                    epoch += 1
                    last = 0
                case 1: last += 1
                case 2, 3:
                    // Now or from some messages ago, as another service would send it.
                    let lag = UInt64(generator.int(0...3))
                    guard last > lag else { continue }
                    let position = Self.at(last - lag, epoch: epoch)
                    if snapshot(&book, position, UInt8(truncatingIfNeeded: position.sequence)) == .kept {
                        announced = position
                    }
                default:
                    last += 1
                    _ = delta(&book, last, epoch: epoch, limits: limits)
                }
                guard book.isComplete, let seen = book.last else { continue }
                try #require(announced == book.continues)
                let first = try #require(book.continues)
                try #require(first.epoch == seen.epoch)
                let expected = (first.sequence...seen.sequence).map { UInt8(truncatingIfNeeded: $0) }
                try #require(kept(book) == expected)
            }
        }
    }
}
