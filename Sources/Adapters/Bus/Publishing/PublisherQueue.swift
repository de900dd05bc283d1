import Synchronization
import Threads

/// The bounded hand-over of batches from their owners to the publisher's thread.
final class PublisherQueue: Sendable {
    /// What the thread takes at one time.
    struct DrainedBatches {
        var batches: [OutboundBatch] = []
        /// The last numbers of topics whose messages were refused behind these batches.
        var refusedThrough: [PublisherTopic: UInt64] = [:]
        var isClosed = false
    }

    private struct State {
        var drained = DrainedBatches()
        var waitingBytes = 0
        var isAsleep = false
        var offered: UInt64 = 0
        var refused: UInt64 = 0
        var highWater = 0
        /// Emptied batches whose memory is used again.
        var spare: [OutboundBatch] = []
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private enum Attempt { case taken(wake: Bool), full, closed }

    private let maximumBatches: Int
    private let maximumBytes: Int
    private let wakeup: Wakeup
    private let state = Mutex(State())

    init(maximumBatches: Int, maximumBytes: Int, wakeup: Wakeup) {
        self.maximumBatches = maximumBatches
        self.maximumBytes = maximumBytes
        self.wakeup = wakeup
    }

    /// Takes the batch, or refuses and forgets it; empties it in both cases.
    func offer(_ batch: inout OutboundBatch) -> Bool {
        if batch.isEmpty { return true }
        switch state.withLock({ Self.take(&batch, &$0, maximumBatches, maximumBytes) }) {
        case .taken(let wake):
            if wake { wakeup.signal() }
            return true
        case .full, .closed:
            refuse(&batch)
            return false
        }
    }

    /// Takes the batch as soon as there is room; false when the queue is closed.
    func waitToOffer(_ batch: consuming OutboundBatch) async -> Bool {
        var batch = batch
        while !batch.isEmpty {
            switch state.withLock({ Self.take(&batch, &$0, maximumBatches, maximumBytes) }) {
            case .taken(let wake): if wake { wakeup.signal() }
            case .full: await waitForRoom()
            case .closed:
                refuse(&batch)
                return false
            }
        }
        return true
    }

    /// Everything that waits; `nil`, once and marked as sleeping, when nothing does.
    func takeAll(orSleep mayMarkAsleep: Bool) -> DrainedBatches? {
        let (drained, waiters): (DrainedBatches?, [CheckedContinuation<Void, Never>]) = state.withLock {
            state in
            if state.drained.batches.isEmpty, state.drained.refusedThrough.isEmpty, !state.drained.isClosed {
                state.isAsleep = mayMarkAsleep
                return (nil, [])
            }
            let drained = state.drained
            state.drained = DrainedBatches(isClosed: drained.isClosed)
            state.waitingBytes = 0
            state.isAsleep = false
            let waiters = state.waiters
            state.waiters = []
            return (drained, waiters)
        }
        for waiter in waiters { waiter.resume() }
        return drained
    }

    /// The thread is awake again and needs no signal.
    func wake() { state.withLock { $0.isAsleep = false } }

    /// Keeps the memory of a batch that was sent, if it is of a usual size.
    func recycle(_ batch: consuming OutboundBatch) {
        var batch = batch
        guard batch.byteCount <= 1 << 20 else { return }
        batch.removeAll()
        state.withLock { state in
            if state.spare.count < 8 { state.spare.append(batch) }
        }
    }

    /// Takes nothing more; what waits is still handed over.
    func close() {
        let waiters = state.withLock { state in
            state.drained.isClosed = true
            let waiters = state.waiters
            state.waiters = []
            return waiters
        }
        for waiter in waiters { waiter.resume() }
        wakeup.signal()
    }

    /// Messages taken and refused so far, and the most batches that ever waited.
    var figures: (offered: UInt64, refused: UInt64, highWater: Int) {
        state.withLock { ($0.offered, $0.refused, $0.highWater) }
    }

    private static func take(
        _ batch: inout OutboundBatch, _ state: inout State, _ maximumBatches: Int, _ maximumBytes: Int
    ) -> Attempt {
        if state.drained.isClosed { return .closed }
        let isFirst = state.drained.batches.isEmpty
        // A batch larger than the bound is still possible, alone.
        if state.drained.batches.count >= maximumBatches
            || !isFirst && state.waitingBytes + batch.byteCount > maximumBytes
        {
            return .full
        }
        state.waitingBytes += batch.byteCount
        state.offered &+= UInt64(batch.count)
        var empty = state.spare.popLast() ?? OutboundBatch()
        swap(&batch, &empty)
        state.drained.batches.append(empty)
        state.highWater = max(state.highWater, state.drained.batches.count)
        let wake = state.isAsleep
        state.isAsleep = false
        return .taken(wake: wake)
    }

    private func refuse(_ batch: inout OutboundBatch) {
        state.withLock { state in
            state.refused &+= UInt64(batch.count)
            for record in batch.records {
                state.drained.refusedThrough[record.topic] = record.sequence
            }
        }
        for record in batch.records { record.topic.markLoss() }
        batch.removeAll()
    }

    private func waitForRoom() async {
        await withCheckedContinuation { continuation in
            let isRoom = state.withLock { state in
                if state.drained.isClosed || state.drained.batches.isEmpty { return true }
                state.waiters.append(continuation)
                return false
            }
            if isRoom { continuation.resume() }
        }
    }
}
