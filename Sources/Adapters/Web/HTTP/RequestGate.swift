import Synchronization

/// Lets a fixed number through at once and a fixed number wait, in order; refuses the rest.
package final class RequestGate: Sendable {
    private struct Waiter {
        var ticket: UInt64
        var continuation: CheckedContinuation<Result<Void, WebError>, Never>
    }

    private struct State {
        var running = 0
        var waiting: [Waiter] = []
        var nextTicket: UInt64 = 0
        /// Tickets cancelled before they could wait.
        var cancelled: Set<UInt64> = []
        var highWater = 0
        var refused = 0
    }

    private let concurrent: Int
    /// Requests at work and waiting.
    private let limit: Int
    private let state = Mutex(State())

    /// A gate for so many at once and so many that wait.
    ///
    /// - Precondition: `concurrent` is at least 1, `waiting` at least 0.
    package init(concurrent: Int, waiting: Int) {
        precondition(concurrent >= 1 && waiting >= 0, "a gate that nobody can pass")
        self.concurrent = concurrent
        limit = waiting
    }

    /// Requests under way, waiting, the most that ever waited, and how many were refused.
    var counts: (running: Int, waiting: Int, highWater: Int, refused: Int) {
        state.withLock { ($0.running, $0.waiting.count, $0.highWater, $0.refused) }
    }

    /// Waits for a turn; every success is given back by ``leave()``.
    ///
    /// - Throws: ``WebError/queueFull(waiting:)`` or ``WebError/cancelled``.
    package func enter() async throws(WebError) {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        let outcome: Result<Void, WebError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let outcome = admit(ticket, continuation) { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            giveUp(ticket)
        }
        state.withLock { _ = $0.cancelled.remove(ticket) }
        try outcome.get()
    }

    /// Gives the turn to the one who waits longest.
    package func leave() {
        let next = state.withLock { state -> Waiter? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
        next?.continuation.resume(returning: .success(()))
    }

    /// Decides at once, or keeps the continuation and returns `nil`.
    private func admit(
        _ ticket: UInt64, _ continuation: CheckedContinuation<Result<Void, WebError>, Never>
    ) -> Result<Void, WebError>? {
        state.withLock { state in
            if state.cancelled.contains(ticket) { return .failure(.cancelled) }
            if state.running < concurrent {
                state.running += 1
                return .success(())
            }
            guard state.waiting.count < limit else {
                state.refused += 1
                return .failure(.queueFull(waiting: state.waiting.count))
            }
            state.waiting.append(Waiter(ticket: ticket, continuation: continuation))
            state.highWater = max(state.highWater, state.waiting.count)
            return nil
        }
    }

    private func giveUp(_ ticket: UInt64) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
                state.cancelled.insert(ticket)
                return nil
            }
            return state.waiting.remove(at: index)
        }
        waiter?.continuation.resume(returning: .failure(.cancelled))
    }
}
