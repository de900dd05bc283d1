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

    @Test("begin in their order, no more at a time than there are workers", arguments: [1, 2])
    func order(workers: Int) async throws {
        let queue = ReadQueue<Int>(workers: workers)
        let state = Mutex(State())
        for number in 0..<10 { queue.offer(number) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await queue.run { number in
                    state.withLock { state in
                        state.begun.append(number)
                        state.running += 1
                        state.most = max(state.most, state.running)
                    }
                    for _ in 0..<20 { await Task.yield() }
                    state.withLock { state in
                        state.running -= 1
                        state.done += 1
                    }
                }
            }
            try await eventually { state.withLock(\.done) == 10 }
            // One that comes while nothing waits.
            queue.offer(10)
            try await eventually { state.withLock(\.done) == 11 }
            group.cancelAll()
        }
        #expect(state.withLock(\.begun).sorted() == Array(0...10))
        #expect(state.withLock(\.most) <= workers)
        if workers == 1 { #expect(state.withLock(\.begun) == Array(0...10)) }
    }
}
