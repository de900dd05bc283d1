import Synchronization
import Threads

/// The bounded hand-over of batches from the socket's thread to the one consumer of a ``Subscriber``.
///
/// Ends after ``Subscriber/finish()``, once what is waiting has been taken.
public struct BusBatches: AsyncSequence, Sendable {
    /// A batch.
    public typealias Element = BusBatch
    public typealias Failure = Never

    let channel: BatchChannel

    /// Takes batches in order; of several iterators each batch reaches one.
    public func makeAsyncIterator() -> Iterator { Iterator(channel: channel) }

    /// Takes batches in order.
    public struct Iterator: AsyncIteratorProtocol {
        let channel: BatchChannel

        /// The next batch, `nil` at the end and when the task is cancelled.
        public mutating func next() async -> BusBatch? { await channel.next() }

        /// The next batch, `nil` at the end and when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> BusBatch? {
            await channel.next()
        }
    }
}

/// A ring of batches with one producer, which never waits, and one consumer, which does.
///
/// It is full when the events of the batches in it are too many, however they are parted into batches.
final class BatchChannel: Sendable {
    private struct State {
        var waiting: [BusBatch] = []
        /// Where the oldest waiting batch lies; before it are taken ones.
        var head = 0
        /// Events in the batches that wait.
        var events = 0
        var isFinished = false
        var highWater = 0
        /// The producer holds back an answer until half of the ring is free.
        var wantsSignal = false
        var consumer: CheckedContinuation<BusBatch?, Never>?

        mutating func push(_ batch: BusBatch) {
            waiting.append(batch)
            events += batch.events.count
            highWater = max(highWater, events)
        }

        mutating func pop() -> BusBatch? {
            guard head < waiting.count else { return nil }
            let batch = waiting[head]
            head += 1
            events -= batch.events.count
            if head == waiting.count {
                waiting.removeAll(keepingCapacity: true)
                head = 0
            } else if head >= 64 {
                waiting.removeFirst(head)
                head = 0
            }
            return batch
        }
    }

    /// Batches that wait.
    private let limit: Int
    private let wakeup: Wakeup
    private let state = Mutex(State())

    init(limit: Int, wakeup: Wakeup) {
        self.limit = max(1, limit)
        self.wakeup = wakeup
    }

    /// Hands a batch over; false when the ring is full.
    ///
    /// After the end a batch is taken and forgotten.
    func offer(_ batch: BusBatch) -> Bool {
        let (isTaken, consumer): (Bool, CheckedContinuation<BusBatch?, Never>?) = state.withLock { state in
            if state.isFinished { return (true, nil) }
            if let consumer = state.consumer {
                state.consumer = nil
                return (true, consumer)
            }
            guard state.events < limit else { return (false, nil) }
            state.push(batch)
            return (true, nil)
        }
        consumer?.resume(returning: batch)
        return isTaken
    }

    /// The next batch, `nil` at the end and when the task is cancelled.
    func next() async -> BusBatch? {
        if let batch = take() { return batch }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resumeNow: (Bool, BusBatch?) = state.withLock { state in
                    if let batch = state.pop() { return (true, batch) }
                    if state.isFinished || Task.isCancelled { return (true, nil) }
                    precondition(state.consumer == nil, "the batches of a subscriber have one consumer")
                    state.consumer = continuation
                    return (false, nil)
                }
                if resumeNow.0 { continuation.resume(returning: resumeNow.1) }
            }
        } onCancel: {
            let consumer = state.withLock { state in
                let consumer = state.consumer
                state.consumer = nil
                return consumer
            }
            consumer?.resume(returning: nil)
        }
    }

    /// Ends the sequence after what is waiting.
    func finish() {
        let consumer = state.withLock { state in
            state.isFinished = true
            let consumer = state.consumer
            state.consumer = nil
            return consumer
        }
        consumer?.resume(returning: nil)
    }

    /// Whether half of the ring is free; if not, the consumer signals as soon as it is.
    func isHalfFreeOrSignals() -> Bool {
        state.withLock { state in
            if state.isFinished || state.events <= limit / 2 { return true }
            state.wantsSignal = true
            return false
        }
    }

    /// Whether a batch would be taken now.
    var hasRoom: Bool { state.withLock { $0.isFinished || $0.events < limit } }

    /// The most events that ever waited.
    var highWater: Int { state.withLock { $0.highWater } }

    private func take() -> BusBatch? {
        let (batch, signals): (BusBatch?, Bool) = state.withLock { state in
            let batch = state.pop()
            let signals = state.wantsSignal && state.events <= limit / 2
            if signals { state.wantsSignal = false }
            return (batch, signals)
        }
        if signals { wakeup.signal() }
        return batch
    }
}
