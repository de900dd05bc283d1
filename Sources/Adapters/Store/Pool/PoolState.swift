/// Decides who runs what: a bounded queue of calls in front of a bounded number of threads.
///
/// A value without locks or clocks; ``Pool`` guards it.
struct PoolState {
    /// What happens to a new call.
    enum Submission {
        case hand(to: WorkerMailbox)
        case startWorker
        case wait
        case refuse(StoreError)
    }

    /// What a worker does next.
    enum Assignment {
        case work(Work)
        case idle
        case stop
    }

    /// What became of a call that is withdrawn.
    enum Withdrawal {
        case removed(Work)
        case running(WorkerMailbox)
        case over
    }

    let maximumWorkers: Int
    let maximumWaiting: Int
    private(set) var isClosed = false
    var statistics = PoolStatistics()
    private var waiting: [Work] = []
    // The last to become idle is the first to work again, so that the others grow old and end.
    private var idle: [WorkerMailbox] = []
    private var running: [UInt64: WorkerMailbox] = [:]

    init(maximumWorkers: Int, maximumWaiting: Int) {
        self.maximumWorkers = maximumWorkers
        self.maximumWaiting = maximumWaiting
    }

    /// Takes a call.
    ///
    /// With `.hand` and `.startWorker` the caller of this method delivers it.
    mutating func submit(_ work: Work) -> Submission {
        if isClosed { return .refuse(.closed) }
        if let mailbox = idle.popLast() {
            start(work, on: mailbox)
            return .hand(to: mailbox)
        }
        if statistics.connections < maximumWorkers {
            statistics.connections += 1
            return .startWorker
        }
        guard waiting.count < maximumWaiting else {
            statistics.refused += 1
            return .refuse(.refused(waiting: waiting.count))
        }
        waiting.append(work)
        statistics.waiting = waiting.count
        statistics.waitingHighest = max(statistics.waitingHighest, waiting.count)
        return .wait
    }

    /// Notes that a worker runs a call.
    mutating func start(_ work: Work, on mailbox: WorkerMailbox) {
        running[work.id] = mailbox
        statistics.busy = running.count
    }

    /// Notes that a worker is done with a call and gives it another.
    mutating func finish(_ id: UInt64?, _ mailbox: WorkerMailbox) -> Assignment {
        if let id { running[id] = nil }
        statistics.busy = running.count
        if !waiting.isEmpty {
            let work = waiting.removeFirst()
            statistics.waiting = waiting.count
            start(work, on: mailbox)
            return .work(work)
        }
        if isClosed { return .stop }
        idle.append(mailbox)
        return .idle
    }

    /// Lets an idle worker end; false when it was given a call in the meantime.
    mutating func retire(_ mailbox: WorkerMailbox) -> Bool {
        guard let index = idle.firstIndex(where: { $0 === mailbox }) else { return false }
        idle.remove(at: index)
        return true
    }

    /// Takes back a call that its caller no longer waits for.
    mutating func withdraw(_ id: UInt64) -> Withdrawal {
        if let work = withdrawWaiting(id) { return .removed(work) }
        return running[id].map { .running($0) } ?? .over
    }

    /// Takes back a call that still waits; `nil` when it runs or is over.
    mutating func withdrawWaiting(_ id: UInt64) -> Work? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
        let work = waiting.remove(at: index)
        statistics.waiting = waiting.count
        return work
    }

    /// Refuses everything from now on.
    ///
    /// - Returns: The calls that wait and the workers that idle; running calls go on.
    mutating func close() -> (waiting: [Work], idle: [WorkerMailbox]) {
        isClosed = true
        defer {
            waiting = []
            idle = []
            statistics.waiting = 0
        }
        return (waiting, idle)
    }

    /// The workers that run something.
    var busyWorkers: [WorkerMailbox] { Array(running.values) }
}
