import Foundation
import Instruments
import MarketData
import Recordings
import Venues

/// One level update of a book with the best levels kept, on the updates of a real session.
enum BookBench {
    static func run(recording path: String) throws -> [Measurement] {
        let changes = try updates(path)
        guard !changes.isEmpty else { return [] }
        let best = median { nanoseconds(changes) { $0.bestBid?.price.rawValue ?? 0 } }
        let five = median {
            nanoseconds(changes) { book in
                var sum: Int64 = 0
                book.bids.forEachLevel(best: 5) { sum &+= $0.size.rawValue }
                book.asks.forEachLevel(best: 5) { sum &+= $0.size.rawValue }
                return sum
            }
        }
        let plain = median { plainArray(changes) }
        return [
            Measurement(
                "level update, best bid and ask kept", "ns", best, goal: "25 ns", meets: best <= 25,
                baseline: "sorted array of the same levels", baselineValue: plain),
            Measurement(
                "level update, top five read", "ns", five, goal: "50 ns", meets: five <= 50,
                baseline: "sorted array of the same levels", baselineValue: plain),
        ]
    }

    private static func updates(_ path: String) throws -> [BookLevelChange] {
        let reader = try RecordingReader(path: path)
        var session = try VenueConfiguration.replay(of: reader.header.venue).makeSession()
        var output = VenueOutput()
        var changes: [BookLevelChange] = []
        while let entry = try reader.next() {
            guard entry.direction == .in else { continue }
            entry.data.withUnsafeBytes { bytes in
                if entry.kind == .ws {
                    session.receive(bytes, connection: entry.connection, at: entry.time, into: &output)
                } else if let url = entry.url, let request = session.request(for: url) {
                    session.responded(to: request, status: 200, body: bytes, at: entry.time, into: &output)
                }
            }
            for case .book(let book) in output.events { changes += output.levels[book.levels] }
            output.removeAll()
        }
        return changes
    }

    private static func nanoseconds(_ changes: [BookLevelChange], _ read: (Book) -> Int64) -> Double {
        var book = Book(priceScale: .zero, sizeScale: .zero)
        var sum: Int64 = 0
        let started = seconds()
        for change in changes {
            book.apply(change)
            sum &+= read(book)
        }
        let elapsed = seconds() - started
        return sum == 1 ? 0 : elapsed / Double(changes.count) * 1e9
    }

    /// What a plain implementation does: one sorted array a side, halved to find a price.
    private static func plainArray(_ changes: [BookLevelChange]) -> Double {
        var sides: [[(key: Int64, size: Int64)]] = [[], []]
        let started = seconds()
        for change in changes {
            let side = Int(change.side.rawValue)
            let key = side == 0 ? change.price.rawValue : -change.price.rawValue
            var low = 0
            var high = sides[side].count
            while low < high {
                let middle = (low + high) / 2
                if sides[side][middle].key < key { low = middle + 1 } else { high = middle }
            }
            let exists = low < sides[side].count && sides[side][low].key == key
            if change.size.rawValue == 0 {
                if exists { sides[side].remove(at: low) }
            } else if exists {
                sides[side][low].size = change.size.rawValue
            } else {
                sides[side].insert((key, change.size.rawValue), at: low)
            }
        }
        return (seconds() - started) / Double(changes.count) * 1e9
    }
}
