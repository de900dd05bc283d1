import Instruments
import MarketData

/// What a session has asked its venue to send and has no answer to yet, and what it will ask for again.
struct SubscriptionRequests: Sendable {
    /// What was asked of some topics.
    struct Request: Sendable {
        var topics: [String] = []
        var isSubscription = true
    }

    /// Topics that are asked for again at a time.
    private struct Retry: Sendable {
        var topics: [String]
        var due: Timestamp
    }

    private var number = 0
    /// Requests without an answer, by their number.
    private var open: [Int: Request] = [:]
    private var retries: [Retry] = []
    /// How often a topic was put off since the connection was opened.
    private var attempts: [String: Int] = [:]

    /// A number for a request that is of no topics.
    mutating func next() -> Int {
        number += 1
        return number
    }

    /// A number for a request whose topics are kept until its answer.
    mutating func next(_ request: Request) -> Int {
        number += 1
        open[number] = request
        return number
    }

    /// A request that has been answered; one without topics where none had this number.
    mutating func answered(_ number: Int?) -> Request {
        number.flatMap { open.removeValue(forKey: $0) } ?? Request()
    }

    /// The venue has too much to do: topics are asked for again after a random pause, which grows each time.
    ///
    /// Those of books are none of these: their images are asked for within the venue's rate.
    mutating func putOff(
        _ topics: [(name: String, book: InstrumentIndex?)], at time: Timestamp, in core: inout SessionCore
    ) {
        for index in topics.compactMap(\.book) { core.putOffImage(index, at: time) }
        let waiting = Set(retries.flatMap(\.topics))
        let names = topics.filter { $0.book == nil && !waiting.contains($0.name) }.map(\.name)
        guard !names.isEmpty else { return }
        var most = 1
        for name in names {
            let count = (attempts[name] ?? 0) + 1
            attempts[name] = count
            most = max(most, count)
        }
        retries.append(Retry(topics: names, due: core.due(afterRefusal: most, at: time)))
    }

    /// Topics that are to be asked for again now.
    mutating func takeDue(at time: Timestamp) -> [String] {
        guard retries.contains(where: { $0.due <= time }) else { return [] }
        let due = retries.filter { $0.due <= time }.flatMap(\.topics)
        retries.removeAll { $0.due <= time }
        return due
    }

    /// A new connection knows nothing of what was asked on the one before.
    mutating func forget() {
        open = [:]
        retries = []
        attempts = [:]
    }
}

extension SessionCore {
    /// When to ask again what was refused so often: never at once, for the venue has just said no.
    fileprivate mutating func due(afterRefusal attempts: Int, at time: Timestamp) -> Timestamp {
        time.adding(nanoseconds: max(governor.delay(attempts: attempts), 100_000_000))
    }

    /// The subscription of a book that waits for its image is refused for now.
    fileprivate mutating func putOffImage(_ index: InstrumentIndex, at time: Timestamp) {
        guard takesImage(index) else { return }
        let due = due(afterRefusal: trackers[index.offset].attempts, at: time)
        trackers[index.offset].phase = .scheduled(at: due)
    }

    /// The venue confirms that a book's changes come no more: one that follows would stand still.
    ///
    /// One that is being fetched again waits for its image by then.
    mutating func ended(_ index: InstrumentIndex, at time: Timestamp, into output: inout VenueOutput) {
        guard wants(.book, index), trackers[index.offset].isFollowing else { return }
        lose(index, .feedSilent, "the venue has ended its subscription", at: time, into: &output)
    }
}

extension UnsafeRawBufferPointer {
    /// The first quoted text that begins with a literal; for the rare frame that could not be read.
    func quoted(beginning literal: StaticString) -> UnsafeRawBufferPointer? {
        let length = literal.utf8CodeUnitCount
        let wanted = UnsafeBufferPointer(start: literal.utf8Start, count: length)
        for text in split(separator: 0x22) where text.starts(with: wanted) {
            return UnsafeRawBufferPointer(rebasing: text)
        }
        return nil
    }
}
