import Synchronization

/// What is to be read and waits for it, in the order in which it was asked for.
///
/// It has no bound of its own: whoever asks, asks for each thing at most once at a time.
package final class ReadQueue<Request: Sendable>: Sendable {
    /// Says that something waits; for one consumer.
    package let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let waiting = Mutex<[Request]>([])
    private let workers: Int

    /// - Parameter workers: Readings at a time, 1 or more.
    package init(workers: Int) {
        self.workers = workers
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(workers))
    }

    /// Something waits.
    package func offer(_ request: Request) {
        waiting.withLock { $0.append(request) }
        signal.yield()
    }

    /// What waits longest.
    package func take() -> Request? { waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    /// Has everything read until it is cancelled.
    package func run(_ read: @escaping @Sendable (Request) async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await _ in signals {
                while let request = take() {
                    if running >= workers {
                        await group.next()
                        running -= 1
                    }
                    running += 1
                    group.addTask { await read(request) }
                }
            }
            group.cancelAll()
        }
    }
}
