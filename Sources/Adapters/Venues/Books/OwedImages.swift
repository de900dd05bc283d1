import Instruments

/// Which image of a book answers its newest subscription, where the venue answers each one with an image.
///
/// After unsubscribing and subscribing again, the image of the earlier subscription may still come; changes
/// that came between the two subscriptions are missing behind it.
struct OwedImages: Sendable {
    /// Subscriptions that no image has answered yet.
    private var owed: [InstrumentIndex: Int] = [:]
    /// Books of which an image was passed over since they were asked for last.
    private var passed: Set<InstrumentIndex> = []

    /// A subscription to a book was sent.
    mutating func ask(_ index: InstrumentIndex) {
        // The venue answers, and the book waits all the same: an earlier answer is lost for good.
        if passed.remove(index) != nil { owed[index] = nil }
        owed[index, default: 0] += 1
    }

    /// An image has come.
    ///
    /// - Returns: Whether it may be believed; nobody asked for those of a replay.
    mutating func take(_ index: InstrumentIndex) -> Bool {
        guard let left = owed[index], left > 1 else {
            owed[index] = nil
            passed.remove(index)
            return true
        }
        owed[index] = left - 1
        passed.insert(index)
        return false
    }

    /// A new connection owes nothing; a refusal does not say of what, so that nobody can count any more.
    mutating func removeAll() {
        owed.removeAll()
        passed.removeAll()
    }
}
