public import MarketData

/// Decides when the stored trades of an instrument are to be read, so that none is missing between what is
/// stored and what is heard live.
///
/// A feed says each live trade first and stores it then, both in one order. Whoever subscribes and reads once
/// has a hole: what was said before the subscription held and was stored after the reading. So the stored
/// trades are read when the subscription is confirmed, and again whenever more were stored, until a reading
/// holds a trade that was heard live: what was said before that one was stored before it, and what comes
/// after it is heard.
///
/// Holds the names of at most twice ``limit`` trades, and none once the two are joined.
public struct TapeSeam: Sendable {
    /// A reading that began: what it finds proves nothing about what was lost since.
    public struct Reading: Sendable {
        fileprivate let seam: UInt64
        fileprivate let life: UInt64
        fileprivate let isConfirmed: Bool
        fileprivate let marks: UInt64
    }

    private struct Name: Hashable {
        let id: String
        let isAggregate: Bool

        init(_ trade: Trade) { (id, isAggregate) = (trade.id, trade.isAggregate) }
    }

    /// After so many live trades those from before the last so many are forgotten.
    static let limit = 1_000

    /// Whether the stored trades are to be read now.
    public private(set) var wantsReading = false
    private let number: UInt64
    private var life: UInt64 = 0
    private var isConfirmed = false
    /// How often something was stored before a reading began that is over; `nil` before there is one.
    private var read: UInt64?
    /// How often something was stored.
    private var marks: UInt64 = 0
    private var hasHeard = false
    private var heard: Set<Name> = []
    /// Those that were heard before these.
    private var before: Set<Name> = []

    /// Nothing is known yet; the subscription is to be confirmed.
    ///
    /// - Parameter number: Another one for each seam of an instrument, so that no reading is taken for one of
    ///   the next.
    public init(number: UInt64 = 0) { self.number = number }

    /// Whether a reading held what was heard.
    public private(set) var isJoined = false
    /// Whether what was read and what was heard are one tape without a hole.
    public var isWhole: Bool { isJoined || (read == marks && !hasHeard) }

    /// The subscription holds from now on; whatever was said before may have been missed.
    public mutating func confirm() {
        isConfirmed = true
        lose()
    }

    /// Something that was said was missed.
    public mutating func lose() {
        life += 1
        // What was heard and is not joined yet may be apart from what is stored still.
        hasHeard = hasHeard && !isJoined
        (read, isJoined) = (nil, false)
        forget()
        wantsReading = true
    }

    /// A trade was heard live.
    ///
    /// One that a venue sent again may have been stored long ago, and proves nothing.
    public mutating func hear(_ trade: Trade) {
        guard !isJoined else { return }
        hasHeard = true
        guard !trade.isBackfill else { return }
        // Later ones prove as much.
        if heard.count >= Self.limit { (before, heard) = (heard, []) }
        heard.insert(Name(trade))
    }

    /// The feed said that it stored something.
    public mutating func noteStored() {
        guard !isJoined else { return }
        marks += 1
        wantsReading = true
    }

    /// The stored trades are read from now on.
    public mutating func begin() -> Reading {
        wantsReading = false
        return Reading(seam: number, life: life, isConfirmed: isConfirmed, marks: marks)
    }

    /// What a reading found: the newest stored trades.
    public mutating func finish(_ reading: Reading, with stored: some Sequence<Trade>) {
        guard isOurs(reading) else { return }
        if reading.isConfirmed { read = max(read ?? 0, reading.marks) }
        guard !isJoined, stored.contains(where: { isHeard(Name($0)) }) else { return }
        isJoined = true
        wantsReading = false
        forget()
    }

    /// A reading failed; another one is wanted.
    public mutating func fail(_ reading: Reading) {
        guard isOurs(reading) else { return }
        wantsReading = !isJoined
    }

    private func isOurs(_ reading: Reading) -> Bool { reading.seam == number && reading.life == life }

    private func isHeard(_ name: Name) -> Bool { heard.contains(name) || before.contains(name) }

    private mutating func forget() { (heard, before) = ([], []) }
}
