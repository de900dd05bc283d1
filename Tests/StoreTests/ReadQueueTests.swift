import Support
import Synchronization
import Testing

@testable import Store

@Suite("Reads that wait", .timeLimit(.minutes(10)))
struct ReadQueueTests {
    private struct State {
        var begun: [Int] = []
        var running = 0
        var most = 0
        var done = 0
    }

    private final class Readers: Sendable {
        let state = Mutex(State())
    }

    @Test("begin in their order, no more at a time than there are workers", arguments: [1, 2])
    func order(workers: Int) async throws {
        let queue = ReadQueue<Int>(workers: workers)
        let readers = Readers()
        for number in 0..<10 { queue.offer(number) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await queue.run { number in
                    readers.state.withLock { state in
                        state.begun.append(number)
                        state.running += 1
                        state.most = max(state.most, state.running)
                    }
                    for _ in 0..<20 { await Task.yield() }
                    readers.state.withLock { state in
                        state.running -= 1
                        state.done += 1
                    }
                }
            }
            try await eventually { readers.state.withLock(\.done) == 10 }
            // One that comes while nothing waits.
            queue.offer(10)
            try await eventually { readers.state.withLock(\.done) == 11 }
            group.cancelAll()
        }
        #expect(readers.state.withLock(\.begun).sorted() == Array(0...10))
        #expect(readers.state.withLock(\.most) <= workers)
        if workers == 1 { #expect(readers.state.withLock(\.begun) == Array(0...10)) }
    }
}
