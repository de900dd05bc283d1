import Bus
import Wire

/// Follows a subscriber event by event.
struct Follower {
    /// One event with the batch that holds its bytes.
    struct Item {
        let event: BusEvent
        let batch: BusBatch

        var message: BusMessage? {
            if case .message(let message) = event { return message }
            return nil
        }

        var gap: BusGap? {
            if case .gap(let gap) = event { return gap }
            return nil
        }

        var answer: BusStateAnswer? {
            if case .stateAnswered(let answer) = event { return answer }
            return nil
        }

        var isSynchronized: Bool {
            if case .synchronized = event { return true }
            return false
        }

        /// The topic of a message or a gap.
        var topic: String? { (message?.topic ?? gap?.topic).map(batch.topic) }

        /// What a message says.
        var decoded: WireEvent? { message.flatMap { try? batch.decode($0) } }
    }

    private var iterator: BusBatches.Iterator
    private var batch: BusBatch?
    private var place = 0

    init(_ subscriber: Subscriber) { iterator = subscriber.batches.makeAsyncIterator() }

    /// The next event.
    mutating func next() async throws -> Item {
        while true {
            if let batch, place < batch.events.count {
                place += 1
                return Item(event: batch.events[place - 1], batch: batch)
            }
            guard let next = await iterator.next() else { throw TestFailure("the subscriber ended") }
            batch = next
            place = 0
        }
    }

    /// All events up to the first for which `isLast` is true, that one included.
    mutating func until(_ isLast: (Item) -> Bool) async throws -> [Item] {
        var items: [Item] = []
        while true {
            let item = try await next()
            items.append(item)
            if isLast(item) { return items }
        }
    }

    /// The next message.
    mutating func message() async throws -> Item {
        guard let item = try await until({ $0.message != nil }).last else { throw TestFailure("no message") }
        return item
    }

    /// Waits until the broker has all subscriptions.
    mutating func synchronized() async throws { _ = try await until(\.isSynchronized) }

    /// Waits until the broker has all subscriptions and what it retains has arrived.
    mutating func answered() async throws -> [Item] { try await until { $0.answer != nil } }
}
