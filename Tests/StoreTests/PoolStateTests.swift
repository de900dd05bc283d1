import Testing

@testable import Store

@Suite("Pool state")
struct PoolStateTests {
    private func work(_ id: UInt64) -> Work { Work(id: id, run: { _ in {} }, fail: { _ in }) }
    private func mailbox() throws -> WorkerMailbox { WorkerMailbox(signal: try WakeSignal()) }

    @Test("starts workers up to the bound, then queues, then refuses")
    func bounds() throws {
        var state = PoolState(maximumWorkers: 1, maximumWaiting: 2)
        guard case .startWorker = state.submit(work(1)) else { throw Unexpected() }
        guard case .wait = state.submit(work(2)) else { throw Unexpected() }
        guard case .wait = state.submit(work(3)) else { throw Unexpected() }
        guard case .refuse(.refused(waiting: 2)) = state.submit(work(4)) else { throw Unexpected() }
        #expect(state.statistics.waiting == 2)
        #expect(state.statistics.waitingHighest == 2)
        #expect(state.statistics.refused == 1)
    }

    @Test("gives waiting calls to a worker in their order, then lets it idle, then hands it the next")
    func order() throws {
        var state = PoolState(maximumWorkers: 1, maximumWaiting: 2)
        let mailbox = try mailbox()
        _ = state.submit(work(1))
        state.start(work(1), on: mailbox)
        _ = state.submit(work(2))
        guard case .work(let next) = state.finish(1, mailbox), next.id == 2 else { throw Unexpected() }
        guard case .idle = state.finish(2, mailbox) else { throw Unexpected() }
        guard case .hand(let to) = state.submit(work(3)), to === mailbox else { throw Unexpected() }
        #expect(state.statistics.busy == 1)
    }

    @Test("withdraws a waiting call, points at the worker of a running one, and knows the finished ones")
    func withdrawal() throws {
        var state = PoolState(maximumWorkers: 1, maximumWaiting: 2)
        let mailbox = try mailbox()
        _ = state.submit(work(1))
        state.start(work(1), on: mailbox)
        _ = state.submit(work(2))
        guard case .removed(let removed) = state.withdraw(2), removed.id == 2 else { throw Unexpected() }
        guard case .running(let running) = state.withdraw(1), running === mailbox else { throw Unexpected() }
        _ = state.finish(1, mailbox)
        guard case .over = state.withdraw(1) else { throw Unexpected() }
    }

    @Test("an idle worker retires unless a call is on its way to it")
    func retirement() throws {
        var state = PoolState(maximumWorkers: 1, maximumWaiting: 2)
        let mailbox = try mailbox()
        _ = state.submit(work(1))
        state.start(work(1), on: mailbox)
        _ = state.finish(1, mailbox)
        _ = state.submit(work(2))
        let isRefused = !state.retire(mailbox)
        #expect(isRefused)
        _ = state.finish(2, mailbox)
        let isRetired = state.retire(mailbox)
        #expect(isRetired)
    }

    @Test("closed, it refuses calls and stops workers as they finish")
    func closing() throws {
        var state = PoolState(maximumWorkers: 1, maximumWaiting: 2)
        let mailbox = try mailbox()
        _ = state.submit(work(1))
        state.start(work(1), on: mailbox)
        _ = state.submit(work(2))
        let waiting = state.close().waiting.map(\.id)
        #expect(waiting == [2])
        guard case .refuse(.closed) = state.submit(work(3)) else { throw Unexpected() }
        guard case .stop = state.finish(1, mailbox) else { throw Unexpected() }
    }
}

/// A case that must not come.
struct Unexpected: Error {}
