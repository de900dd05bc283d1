import AlertStore
import Instruments
import MarketStore
import Synchronization

/// What is to be committed, one commit a shard at a time, in order; what is decided meanwhile is gathered.
///
/// A commit that was handed out stays as it is until it is answered, so that it can be repeated. Of a shard
/// whose gathered firings pass the bound everything is given up: it is read again from what is stored, and
/// what it had decided since is decided again from the stored tape.
final class CommitQueue: Sendable {
    struct Work: Sendable {
        var commits: [EvaluationCommit]
        var epochs: [Shard: Int64]
        /// When the oldest of what is in them was received.
        var received: [Timestamp]

        /// Whether there is something that may have to be told.
        var hasFirings: Bool { commits.contains { $0.steps.contains { $0.firing != nil } } }
    }

    struct Figures: Hashable, Sendable {
        /// Firings that wait.
        var waiting = 0
        /// The most that ever did.
        var highWater = 0
        /// Shards that were given up because too much waited.
        var givenUp: UInt64 = 0
    }

    fileprivate struct Entry: Sendable {
        var epoch: Int64
        var number: Int64
        var isOut = false
        /// Its lease was lost: it waits for who tends leases.
        var isParked = false
        var out: EvaluationCommit?
        var state: [UInt8]?
        var ruleChange: Int64 = 0
        var steps: [EvaluationCommit.Step] = []
    }

    fileprivate struct State {
        var entries: [Shard: Entry] = [:]
        var figures = Figures()
        var isFinished = false
        /// When there was a transaction without firings last, or else the first with some.
        var quietAt: ContinuousClock.Instant?
        /// The last shard that such a transaction had.
        var lastQuiet: Shard?
    }

    /// Says that there is something to commit; for one consumer.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let state = Mutex(State())
    private let limit: Int

    /// Shards of one transaction: with firings, and without.
    fileprivate static let batch = (firing: 64, quiet: 32)
    /// So long firings go before: then what others know is stored, too, since nothing else has the values of
    /// which no tape is kept.
    fileprivate static let patience = Duration.seconds(2)

    init(limit: Int) {
        self.limit = limit
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var figures: Figures { state.withLock { $0.figures } }

    /// A shard is evaluated from here on, after the commit of this number.
    func open(_ shard: Shard, epoch: Int64, after number: Int64) {
        state.withLock { state in
            state.figures.waiting -= state.entries[shard]?.steps.count ?? 0
            state.entries[shard] = Entry(epoch: epoch, number: number)
        }
    }

    /// A shard goes on under another lease of the same holder.
    func prolong(_ shard: Shard, epoch: Int64) {
        state.withLock { state in
            state.entries[shard]?.epoch = epoch
            if state.entries[shard]?.isParked == true {
                state.entries[shard]?.isParked = false
                state.entries[shard]?.isOut = false
            }
        }
        signal.yield()
    }

    /// A shard is no longer evaluated.
    func drop(_ shard: Shard) {
        state.withLock { state in
            state.figures.waiting -= state.entries[shard]?.steps.count ?? 0
            state.entries[shard] = nil
        }
    }

    /// Whether nothing of a shard waits or is being committed.
    func isIdle(_ shard: Shard) -> Bool {
        state.withLock { $0.entries[shard].map { !$0.isOut && $0.state == nil } ?? true }
    }

    /// Adds what was decided and is known; false when the shard was given up.
    func offer(
        _ shard: Shard, state bytes: [UInt8], ruleChange: Int64, steps: [EvaluationCommit.Step]
    ) -> Bool {
        let isTaken = state.withLock { state -> Bool in
            guard var entry = state.entries[shard] else { return true }
            guard entry.steps.count + steps.count <= limit else {
                state.figures.waiting -= entry.steps.count
                state.figures.givenUp &+= 1
                state.entries[shard] = nil
                return false
            }
            entry.state = bytes
            entry.ruleChange = ruleChange
            entry.steps += steps
            state.entries[shard] = entry
            state.figures.waiting += steps.count
            state.figures.highWater = max(state.figures.highWater, state.figures.waiting)
            return true
        }
        signal.yield()
        return isTaken
    }

    /// Nothing more is to be committed.
    func finish() {
        state.withLock { $0.isFinished = true }
        signal.finish()
    }

    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Whether a commit waits for its lease to be ours again.
    var isParked: Bool { state.withLock { $0.entries.values.contains { $0.isParked } } }

    /// What is to be committed next: shards with firings first, but for one time in several.
    ///
    /// Shards without firings take turns, so that none waits for others that have something new each time.
    func take(at now: ContinuousClock.Instant) -> Work? {
        state.withLock { state -> Work? in
            let waiting = state.entries.filter { !$0.value.isOut && $0.value.out != nil }
            var shards = waiting.keys.sorted()
            if shards.isEmpty { shards = state.next(at: now) }
            guard !shards.isEmpty else { return nil }
            var work = Work(commits: [], epochs: [:], received: [])
            for shard in shards {
                guard let commit = state.hand(out: shard) else { continue }
                work.commits.append(commit)
                work.epochs[shard] = state.entries[shard]?.epoch
                work.received += commit.steps.compactMap { step in
                    step.firing.flatMap { $0.lateBy == 0 ? $0.receivedTime : nil }
                }
            }
            return work
        }
    }

    /// A commit is stored.
    func succeeded(_ commit: EvaluationCommit) {
        state.withLock { state in
            guard state.entries[commit.shard]?.out == commit else { return }
            state.entries[commit.shard]?.number = commit.number
            state.entries[commit.shard]?.out = nil
            state.entries[commit.shard]?.isOut = false
        }
    }

    /// The lease of a commit is over: whoever tends leases says whether it is ours again, with nobody in
    /// between, or another's.
    func park(_ commit: EvaluationCommit, under epoch: Int64) {
        state.withLock { state in
            guard let entry = state.entries[commit.shard], entry.out == commit else { return }
            if entry.epoch == epoch {
                state.entries[commit.shard]?.isParked = true
            } else {
                state.entries[commit.shard]?.isOut = false
            }
        }
    }

    /// A commit is to be repeated as it is.
    func failed(_ commit: EvaluationCommit) {
        state.withLock { state in
            guard state.entries[commit.shard]?.out == commit else { return }
            state.entries[commit.shard]?.isOut = false
        }
    }
}

extension CommitQueue.State {
    /// Shards whose turn it is, in order.
    fileprivate mutating func next(at now: ContinuousClock.Instant) -> [Shard] {
        let ready = entries.filter { !$0.value.isOut && $0.value.state != nil }.sorted { $0.key < $1.key }
        let firing = ready.filter { !$0.value.steps.isEmpty }.map(\.key)
        let quiet = ready.filter { $0.value.steps.isEmpty }.map(\.key)
        let waited = quietAt.map { now - $0 } ?? .zero
        if firing.isEmpty || !quiet.isEmpty && waited > CommitQueue.patience {
            quietAt = now
            return takeTurns(quiet)
        }
        quietAt = quietAt ?? now
        return Array(firing.prefix(CommitQueue.batch.firing))
    }

    /// Those after the last one that had its turn, and then from the beginning.
    private mutating func takeTurns(_ quiet: [Shard]) -> [Shard] {
        let first = quiet.firstIndex { shard in lastQuiet.map { shard > $0 } ?? true } ?? 0
        let turn = (quiet[first...] + quiet[..<first]).prefix(CommitQueue.batch.quiet)
        lastQuiet = turn.last ?? lastQuiet
        return turn.sorted()
    }

    /// Hands out the commit of a shard: again, or what was gathered.
    fileprivate mutating func hand(out shard: Shard) -> EvaluationCommit? {
        guard var entry = entries[shard] else { return nil }
        if entry.out == nil, let bytes = entry.state {
            entry.out = EvaluationCommit(
                shard: shard, number: entry.number + 1, ruleChange: entry.ruleChange, state: bytes,
                steps: entry.steps)
            figures.waiting -= entry.steps.count
            entry.state = nil
            entry.steps = []
        }
        entry.isOut = true
        entries[shard] = entry
        return entry.out
    }
}
