/// What was said of one thing: enough to tell a newcomer everything, and one who was away a while the rest.
///
/// Keeps at most ``changeLimit`` changes (``itemLimit`` items), encoded once for all clients.
struct StreamLog: Sendable {
    /// What a client is to be told next.
    enum Piece: Sendable {
        /// So many changes are not told.
        case skipped(UInt64)
        /// The whole thing at a number; of items the newest ones, oldest first.
        case snapshot(StreamCursor, [[UInt8]])
        /// What is different since the piece before, or the whole thing again: by the channel's manner.
        ///
        /// Of items all new ones, oldest first.
        case change(UInt64, [[UInt8]])
    }

    private struct Change: Sendable {
        var sequence: UInt64
        var bytes: [UInt8]
    }

    /// Changes that are kept for those who come back.
    static let changeLimit = 64
    /// Items that are kept.
    static let itemLimit = 100
    /// Items that a newcomer is told.
    static let firstItems = 30

    /// How changes follow each other.
    let conflation: Conflation
    /// The life of the numbering.
    let epoch: UInt64
    /// The number of the last change; 0 before the first.
    private(set) var sequence: UInt64 = 0
    private var whole: Change?
    /// Without a hole, ending with `sequence`.
    private var changes: [Change] = []

    /// Nothing was said yet.
    init(_ conflation: Conflation, epoch: UInt64) {
        self.conflation = conflation
        self.epoch = epoch
    }

    /// Where the next change will be.
    var next: StreamCursor { place(sequence + 1) }

    /// Whether the whole thing should come with the next change, so that newcomers need few further changes.
    ///
    /// Of ``Conflation/changes`` only: when the changes since the last time weigh more than the thing.
    var wantsWhole: Bool {
        guard let whole else { return true }
        let since = changes.suffix(while: { $0.sequence > whole.sequence })
        return since.count >= Self.changeLimit / 2
            || since.reduce(0) { $0 + $1.bytes.count } > whole.bytes.count
    }

    /// Adds a change; `whole` is the thing with it, which ``Conflation/changes`` needs at the first one.
    ///
    /// - Returns: The number of the change.
    @discardableResult
    mutating func append(_ change: [UInt8], whole: [UInt8]? = nil) -> UInt64 {
        sequence += 1
        switch conflation {
        case .latest: self.whole = Change(sequence: sequence, bytes: change)
        case .changes, .items:
            if let whole { self.whole = Change(sequence: sequence, bytes: whole) }
            changes.append(Change(sequence: sequence, bytes: change))
            let limit = conflation == .items ? Self.itemLimit : Self.changeLimit
            if changes.count > limit { changes.removeFirst(changes.count - limit) }
        }
        return sequence
    }

    /// What a client at a place is to be told to be where the log is; nothing when it is there.
    ///
    /// For a newcomer the place is `nil`, or one of another life.
    func pieces(after place: StreamCursor?) -> [Piece] {
        guard let place, place.epoch == epoch, place.sequence <= sequence else { return wholePieces }
        if place.sequence == sequence { return [] }
        switch conflation {
        case .latest: return latest(after: place.sequence)
        case .changes: return changed(after: place.sequence)
        case .items: return items(after: place.sequence)
        }
    }

    private func place(_ sequence: UInt64) -> StreamCursor { StreamCursor(epoch: epoch, sequence: sequence) }

    private var wholePieces: [Piece] {
        if conflation == .items {
            return [.snapshot(place(sequence), changes.suffix(Self.firstItems).map(\.bytes))]
        }
        guard let whole else { return [] }
        return [.snapshot(place(whole.sequence), [whole.bytes])] + told(since(whole.sequence))
    }

    private func latest(after sequence: UInt64) -> [Piece] {
        guard let whole else { return [] }
        return skipped(self.sequence - sequence - 1) + [.change(whole.sequence, [whole.bytes])]
    }

    private func changed(after sequence: UInt64) -> [Piece] {
        let missing = since(sequence)
        guard let whole else { return told(missing) }
        // Whichever is less to read: what is missing, or the whole thing with what came since.
        let isWhole = missing.first?.sequence == sequence + 1
        let fresh = since(whole.sequence)
        let cost = whole.bytes.count + fresh.reduce(0) { $0 + $1.bytes.count }
        if isWhole, whole.sequence <= sequence || missing.reduce(0, { $0 + $1.bytes.count }) <= cost {
            return told(missing)
        }
        return skipped(whole.sequence - sequence) + wholePieces
    }

    private func items(after sequence: UInt64) -> [Piece] {
        let missing = since(sequence)
        return skipped(self.sequence - sequence - UInt64(missing.count))
            + [.change(self.sequence, missing.map(\.bytes))]
    }

    private func since(_ sequence: UInt64) -> ArraySlice<Change> {
        changes.suffix(Int(clamping: self.sequence - min(sequence, self.sequence)))
    }

    private func told(_ changes: ArraySlice<Change>) -> [Piece] {
        changes.map { .change($0.sequence, [$0.bytes]) }
    }

    private func skipped(_ count: UInt64) -> [Piece] { count > 0 ? [.skipped(count)] : [] }
}

extension Array {
    /// The longest end of which every element is as wanted.
    fileprivate func suffix(while isWanted: (Element) -> Bool) -> ArraySlice<Element> {
        var start = endIndex
        while start > startIndex, isWanted(self[start - 1]) { start -= 1 }
        return self[start...]
    }
}
