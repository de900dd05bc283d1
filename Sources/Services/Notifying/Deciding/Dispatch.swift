import Instruments

/// Decides which letters are sent now and which wait: a bulkhead per channel, so that one whose receiver is
/// slow, gone or asks to be left alone delays no other, also not one of the same host.
///
/// Knows no clock: each call says the time, in nanoseconds.
struct Dispatch<Channel: Hashable & Sendable, Content> {
    typealias Post = QueuedDelivery<Channel, Content>

    /// What is to be done.
    enum Move {
        /// Send it; ``ended(_:at:failed:asked:)`` says what came of it.
        case send(Post)
        /// Give it back until then: the receiver is left alone.
        case postpone(Post, until: Int64)
        /// Forget it: its claim is as good as over, so it will be claimed again.
        case drop(Post)
    }

    private struct ChannelQueue {
        var running = 0
        var waiting: [Post] = []
        var bucket: TokenBucket
        var breaker = CircuitBreaker()
        var lastUsed: Int64 = 0
        /// Answers since the last failure: who is new or was not there gets little at first, so that many
        /// that hang at once do not take all there is.
        var answers = 0
    }

    private let limits: DispatchLimits
    private var lanes: [Channel: ChannelQueue] = [:]
    /// Channels with letters that wait, longest first.
    private var queue: [Channel] = []
    /// Channels that failed last or are to be left alone.
    private var troubled: Set<Channel> = []
    /// What is under way to each host and what waits for it; without those of which there is neither.
    private var hosts: [String: (running: Int, waiting: Int)] = [:]
    /// Attempts under way.
    private(set) var running = 0
    /// Letters that wait.
    private(set) var waiting = 0

    /// Channels that are remembered at most while nothing goes to them.
    private static var laneLimit: Int { 10_000 }

    init(_ limits: DispatchLimits) { self.limits = limits }

    /// How many more letters should be claimed.
    var room: Int { max(0, limits.concurrent + limits.waitingInAll - running - waiting) }

    /// Channels for which letters are of no use now.
    func blocked(at now: Int64) -> Set<Channel> {
        troubled.union(queue).filter { key in
            guard let channelQueue = lanes[key] else { return false }
            return !channelQueue.breaker.allows(at: now)
                || channelQueue.waiting.count >= waitingLimit(channelQueue)
        }
    }

    /// Channels that are left alone, after failures or as asked.
    func leftAlone(at now: Int64) -> Int {
        troubled.count { lanes[$0].map { !$0.breaker.allows(at: now) } ?? false }
    }

    private func waitingLimit(_ channelQueue: ChannelQueue) -> Int {
        min(limits.waiting, 4 + channelQueue.answers)
    }

    private func runningLimit(_ channelQueue: ChannelQueue) -> Int {
        min(limits.perChannel, 1 + channelQueue.answers)
    }

    /// Takes a claimed letter.
    mutating func take(_ letter: Post, at now: Int64) -> [Move] {
        var channelQueue = channelQueue(letter.channel)
        channelQueue.lastUsed = now
        if !channelQueue.breaker.allows(at: now) {
            // A probe is under way, or it is too early: by then one of the two is over.
            let until = max(channelQueue.breaker.openUntil ?? now, now + 1_000_000_000)
            lanes[letter.channel] = channelQueue
            return [.postpone(letter, until: until)]
        }
        if channelQueue.waiting.count >= waitingLimit(channelQueue)
            + (channelQueue.answers > 0 ? limits.surplus : 0)
        {
            // Given back at once; ``blocked(at:)`` keeps it from being claimed before there is a place.
            return [.postpone(letter, until: now)]
        }
        guard hosts[letter.host]?.waiting ?? 0 < limits.waitingPerHost else {
            // Not at once, so that nobody claims in a circle what a host that hangs does not take.
            return [.postpone(letter, until: now + 1_000_000_000)]
        }
        channelQueue.waiting.append(letter)
        count(letter.host, waiting: 1)
        if channelQueue.waiting.count == 1 { queue.append(letter.channel) }
        lanes[letter.channel] = channelQueue
        return release(at: now)
    }

    /// An attempt is over.
    ///
    /// - Parameters:
    ///   - letter: What was sent.
    ///   - now: The time.
    ///   - failed: Whether the receiver did not answer, or said that it cannot.
    ///   - asked: Nanoseconds for which it asks to be left alone.
    /// - Returns: What is to be done now.
    mutating func ended(
        _ letter: Post, at now: Int64, failed: Bool, asked: Int64 = 0
    ) -> [Move] {
        let channel = letter.channel
        count(letter.host, running: -1)
        var channelQueue = channelQueue(channel)
        channelQueue.running -= 1
        channelQueue.lastUsed = now
        if failed {
            channelQueue.breaker.failed(at: now)
            channelQueue.answers = 0
            troubled.insert(channel)
        } else {
            channelQueue.breaker.answered(at: now, asked: asked)
            channelQueue.answers = min(channelQueue.answers + 1, limits.waiting)
            if asked > 0 { troubled.insert(channel) } else { troubled.remove(channel) }
        }
        var moves: [Move] = []
        if !channelQueue.breaker.allows(at: now), let until = channelQueue.breaker.openUntil {
            moves = channelQueue.waiting.map { .postpone($0, until: until) }
            for letter in channelQueue.waiting { count(letter.host, waiting: -1) }
            channelQueue.waiting = []
            queue.removeAll { $0 == channel }
        }
        lanes[channel] = channelQueue
        forgetIdle(at: now)
        return moves + release(at: now)
    }

    /// When ``release(at:)`` has something to do again without an attempt that ends; `nil` for never.
    func nextRelease(at now: Int64) -> Int64? {
        guard running < limits.concurrent else { return nil }
        return queue.compactMap { key -> Int64? in
            guard let channelQueue = lanes[key], mayRun(channelQueue) else { return nil }
            return now + channelQueue.bucket.wait(at: now)
        }.min()
    }

    /// Sends what may be sent now, one letter per channel in turn.
    mutating func release(at now: Int64) -> [Move] {
        var moves: [Move] = []
        var blocked = 0
        while running < limits.concurrent, blocked < queue.count {
            let key = queue.removeFirst()
            var channelQueue = channelQueue(key)
            while let letter = channelQueue.waiting.first, letter.leaseEnd - now < limits.attemptTime {
                moves.append(.drop(letter))
                channelQueue.waiting.removeFirst()
                count(letter.host, waiting: -1)
            }
            let mayGo = mayRun(channelQueue) && channelQueue.breaker.allows(at: now)
            if let letter = channelQueue.waiting.first, mayGo, channelQueue.bucket.take(at: now) {
                moves.append(.send(letter))
                channelQueue.waiting.removeFirst()
                channelQueue.running += 1
                count(letter.host, running: 1, waiting: -1)
                channelQueue.breaker.begin()
                blocked = 0
            } else {
                blocked += 1
            }
            if !channelQueue.waiting.isEmpty { queue.append(key) }
            lanes[key] = channelQueue
        }
        return moves
    }

    /// All that waits, at the end.
    mutating func close() -> [Post] {
        let letters = queue.flatMap { lanes[$0]?.waiting ?? [] }
        for letter in letters { count(letter.host, waiting: -1) }
        for key in queue { lanes[key]?.waiting = [] }
        queue = []
        return letters
    }

    /// Whether the next letter of a lane finds room, on its lane and at its host.
    private func mayRun(_ channelQueue: ChannelQueue) -> Bool {
        guard let host = channelQueue.waiting.first?.host else { return false }
        return channelQueue.running < runningLimit(channelQueue)
            && (hosts[host]?.running ?? 0) < limits.perHost
    }

    private mutating func count(_ host: String, running more: Int = 0, waiting others: Int = 0) {
        running += more
        waiting += others
        let before = hosts[host] ?? (0, 0)
        let now = (running: before.running + more, waiting: before.waiting + others)
        hosts[host] = now == (0, 0) ? nil : now
    }

    private func channelQueue(_ key: Channel) -> ChannelQueue {
        lanes[key]
            ?? ChannelQueue(
                bucket: TokenBucket(
                    capacity: limits.perSecond, refillEvery: max(1, 1_000_000_000 / Int64(limits.perSecond))))
    }

    private mutating func forgetIdle(at now: Int64) {
        guard lanes.count > Self.laneLimit else { return }
        lanes = lanes.filter { _, channelQueue in
            channelQueue.running > 0 || !channelQueue.waiting.isEmpty
                || now - channelQueue.lastUsed < 600_000_000_000
        }
        troubled = troubled.filter { lanes[$0] != nil }
    }
}
