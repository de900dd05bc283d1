import Instruments
import MarketData
import Support
import Testing

@testable import BookBuilding

/// A book set that follows one instrument, with its time, and its outputs as text.
struct BookSetFixture {
    var set = BookSet(limit: 10, snapshotInterval: 1_000_000_000)
    let index: BookIndex
    var now = Timestamp(nanoseconds: 1_000_000_000_000)

    // `isHeard`: whether the feed has been heard before.
    init(_ id: InstrumentID, isHeard: Bool = true) throws {
        let entered = set.index(of: id, at: now)
        index = try #require(entered)
        if isHeard { set.heard("feed", epoch: 1, at: now) }
    }

    mutating func receive(_ message: BookMessage) { set.receive(message, of: index, at: now) }

    mutating func snapshot(
        _ text: String, epoch: UInt64 = 1, isRetained: Bool = false, at seconds: Int64? = nil
    ) throws {
        var snapshot = try BookText(text).snapshot(epoch: epoch)
        snapshot.venueTime = seconds.map { Timestamp(nanoseconds: $0 * 1_000_000_000) }
        receive(.snapshot(snapshot, SnapshotOrigin(isOwn: false, isRetained: isRetained)))
    }

    mutating func delta(_ text: String, _ sequence: UInt64, at seconds: Int64? = nil) throws {
        var delta = try BookText(text).delta()
        delta.venueTime = seconds.map { Timestamp(nanoseconds: $0 * 1_000_000_000) }
        receive(.delta(delta, StreamPosition(producer: "feed", epoch: 1, sequence: sequence)))
    }

    mutating func change(
        _ state: BookState, _ reason: BookStateReason, _ sequence: UInt64, epoch: UInt64 = 1
    ) {
        receive(
            .change(
                BookStateChange(state: state, reason: reason, receivedTime: now),
                StreamPosition(producer: "feed", epoch: epoch, sequence: sequence)))
    }

    mutating func tick(after seconds: Double) {
        now = now.adding(nanoseconds: Int64((seconds * 1e9).rounded()))
        set.tick(at: now)
    }

    /// The tops told since the last look.
    mutating func tops() -> [String] {
        take { output in
            guard case .top(_, let top) = output else { return nil }
            func text(_ level: BookLevel?) -> String {
                level.map { " \($0.price.text(top.priceScale))×\($0.size.text(top.sizeScale))" } ?? ""
            }
            return top.state.name + text(top.bid) + text(top.ask)
        }
    }

    /// The whole books told since the last look.
    mutating func wholes() -> [String] {
        take { output in
            guard case .snapshot(_, let snapshot) = output else { return nil }
            return snapshot.text
        }
    }

    /// The books stored since the last look, with their minutes.
    mutating func archived() -> [String] {
        take { output in
            guard case .archive(_, let snapshot) = output else { return nil }
            return "\((snapshot.venueTime ?? .zero).nanoseconds / 60_000_000_000): \(snapshot.text)"
        }
    }

    /// How often the broker was asked since the last look.
    mutating func requests() -> Int {
        take { output in
            guard case .request = output else { return nil }
            return ""
        }.count
    }

    /// Takes those outputs away that `read` makes something of.
    private mutating func take(_ read: (BookOutput) -> String?) -> [String] {
        let taken = set.outputs.compactMap(read)
        set.outputs.removeAll { read($0) != nil }
        return taken
    }
}

extension BookSnapshot {
    /// As in `live seq 3 | bids 100×2 | asks 101×1`.
    var text: String {
        var book = Book(priceScale: priceScale, sizeScale: sizeScale)
        book.replace(bids: bids, asks: asks)
        return "\(state.name) \(BookText(book, sequence: continues?.sequence))"
    }
}
