import Logging
import Metrics
import Synchronization
import Threads

/// The shared part of a ``Database``: its queue, its workers and its account of the server's health.
final class Pool: Sendable {
    let configuration: StoreConfiguration
    let logger: Logger
    let metrics: StoreMetrics
    private let jitter: @Sendable () -> Double
    private let state: Mutex<PoolState>
    private let backoff: Mutex<ConnectBackoff>
    private let closing = Mutex<[CheckedContinuation<Void, Never>]>([])
    private let lastID = Atomic<UInt64>(0)

    init(_ configuration: StoreConfiguration, _ logger: Logger, _ jitter: @escaping @Sendable () -> Double) {
        self.configuration = configuration
        self.logger = logger
        self.jitter = jitter
        metrics = StoreMetrics(pool: configuration.poolName)
        state = Mutex(
            PoolState(
                maximumWorkers: min(max(configuration.maximumConnections, 1), 64),
                maximumWaiting: max(configuration.maximumWaiting, 0)))
        backoff = Mutex(ConnectBackoff(bounds: configuration.reconnectDelay))
    }

    var statistics: PoolStatistics { state.withLock { $0.statistics } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func makeID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }
    func nextJitter() -> Double { jitter() }

    // MARK: Calls

    /// Takes a call, starts a worker for it, or refuses it; never blocks.
    func submit(_ work: Work) {
        let submission = state.withLock { $0.submit(work) }
        switch submission {
        case .hand(let mailbox): mailbox.hand(work)
        case .startWorker: startWorker(work)
        case .wait: break
        case .refuse(let error):
            if case .refused = error { metrics.refused.increment() }
            work.fail(error)
        }
        metrics.show(statistics)
    }

    private func startWorker(_ work: Work) {
        do throws(StoreError) {
            let mailbox = WorkerMailbox(signal: try WakeSignal())
            state.withLock { $0.start(work, on: mailbox) }
            NamedThread.start(name: "postgres") { ConnectionOwner(self, mailbox).run(first: work) }
        } catch {
            workerEnded()
            work.fail(error)
        }
    }

    /// Called by a worker between two calls.
    func finish(_ id: UInt64, _ mailbox: WorkerMailbox) -> PoolState.Assignment {
        let assignment = state.withLock { state in
            // Under the lock, so that an interruption can only meet the call that it was meant for.
            mailbox.signal.clear()
            return state.finish(id, mailbox)
        }
        metrics.show(statistics)
        return assignment
    }

    func retire(_ mailbox: WorkerMailbox) -> Bool { state.withLock { $0.retire(mailbox) } }

    /// Takes back a call that waits and interrupts one that runs.
    func cancel(_ id: UInt64) {
        let withdrawn: Work? = state.withLock { state in
            switch state.withdraw(id) {
            case .removed(let work): return work
            case .running(let mailbox): mailbox.signal.interrupt()
            case .over: break
            }
            return nil
        }
        withdrawn?.fail(.cancelled)
    }

    /// Gives up a call that still waits when the time is over.
    func expire(_ id: UInt64, after limit: Duration) async {
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        let withdrawn: Work? = state.withLock { state in
            guard let work = state.withdrawWaiting(id) else { return nil }
            state.statistics.timedOut += 1
            return work
        }
        guard let withdrawn else { return }
        metrics.timedOut.increment()
        withdrawn.fail(.acquireTimedOut(after: limit))
    }

    func countRetry() {
        state.withLock { $0.statistics.retries += 1 }
        metrics.retries.increment()
    }

    // MARK: The server's health

    /// How long no attempt to connect is due.
    func connectPause() -> Duration? { backoff.withLock { $0.remaining(at: .now) } }

    func connectSucceeded() {
        backoff.withLock { $0.succeeded() }
        state.withLock { state in
            state.statistics.connects += 1
            state.statistics.isReachable = true
        }
        metrics.connects.increment()
    }

    func connectFailed(_ error: StoreError) {
        backoff.withLock { $0.failed(at: .now, jitter: nextJitter()) }
        state.withLock { state in
            state.statistics.connectFailures += 1
            state.statistics.isReachable = false
        }
        metrics.connectFailures.increment()
        logger.info("PostgreSQL cannot be reached", metadata: ["error": "\(error.description)"])
    }

    func connectionLost() {
        state.withLock { $0.statistics.connectionsLost += 1 }
        metrics.connectionsLost.increment()
        logger.info("Connection to PostgreSQL lost")
    }

    // MARK: The end

    /// Refuses new calls, answers the waiting ones and lets the idle workers end.
    func close() {
        let (waiting, idle) = state.withLock { $0.close() }
        for work in waiting { work.fail(.closed) }
        for mailbox in idle { mailbox.stop() }
    }

    /// Makes everything that still runs fail with ``StoreError/cancelled``.
    func interruptAll() {
        state.withLock { state in
            for mailbox in state.busyWorkers { mailbox.signal.interrupt() }
        }
    }

    /// Suspends until no worker is left; call ``close()`` first.
    func allEnded() async {
        await withCheckedContinuation { continuation in
            closing.withLock { $0.append(continuation) }
            resumeIfEnded()
        }
    }

    func workerEnded() {
        state.withLock { $0.statistics.connections -= 1 }
        metrics.show(statistics)
        resumeIfEnded()
    }

    private func resumeIfEnded() {
        let isOver = state.withLock { $0.isClosed && $0.statistics.connections == 0 }
        guard isOver else { return }
        let waiting = closing.withLock { list in
            defer { list = [] }
            return list
        }
        for continuation in waiting { continuation.resume() }
    }
}
