import Instruments

/// Decides which letters are sent now and which wait: a bulkhead per channel, so that one whose receiver is
/// slow, gone or asks to be left alone delays no other, also not one of the same host.
///
/// Knows no clock: each call says the time, in nanoseconds.
struct Dispatch<Channel: Hashable & Sendable, Content> {
    typealias Post = Letter<Channel, Content>

    /// What is to be done.
    enum Move {
        /// Send it; ``ended(_:at:failed:asked:)`` says what came of it.
        case send(Post)
        /// Give it back until then: the receiver is left alone.
        case postpone(Post, until: Int64)
        /// Forget it: its claim is as good as over, so it will be claimed again.
        case drop(Post)
    }

    private struct Lane {
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
    private var lanes: [Channel: Lane] = [:]
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
            guard let lane = lanes[key] else { return false }
            return !lane.breaker.allows(at: now) || lane.waiting.count >= waitingLimit(lane)
        }
    }

    /// Channels that are left alone, after failures or as asked.
    func leftAlone(at now: Int64) -> Int {
        troubled.count { lanes[$0].map { !$0.breaker.allows(at: now) } ?? false }
    }

    private func waitingLimit(_ lane: Lane) -> Int { min(limits.waiting, 4 + lane.answers) }

    private func runningLimit(_ lane: Lane) -> Int { min(limits.perChannel, 1 + lane.answers) }

    /// Takes a claimed letter.
    mutating func take(_ letter: Post, at now: Int64) -> [Move] {
        var lane = lane(letter.channel)
        lane.lastUsed = now
        if !lane.breaker.allows(at: now) {
            // A probe is under way, or it is too early: by then one of the two is over.
            let until = max(lane.breaker.openUntil ?? now, now + 1_000_000_000)
            lanes[letter.channel] = lane
            return [.postpone(letter, until: until)]
        }
        if lane.waiting.count >= waitingLimit(lane) + (lane.answers > 0 ? limits.surplus : 0) {
            // Given back at once; ``blocked(at:)`` keeps it from being claimed before there is a place.
            return [.postpone(letter, until: now)]
        }
        guard hosts[letter.host]?.waiting ?? 0 < limits.waitingPerHost else {
            // Not at once, so that nobody claims in a circle what a host that hangs does not take.
            return [.postpone(letter, until: now + 1_000_000_000)]
        }
        lane.waiting.append(letter)
        count(letter.host, waiting: 1)
        if lane.waiting.count == 1 { queue.append(letter.channel) }
        lanes[letter.channel] = lane
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
        var lane = lane(channel)
        lane.running -= 1
        lane.lastUsed = now
        if failed {
            lane.breaker.failed(at: now)
            lane.answers = 0
            troubled.insert(channel)
        } else {
            lane.breaker.answered(at: now, asked: asked)
            lane.answers = min(lane.answers + 1, limits.waiting)
            if asked > 0 { troubled.insert(channel) } else { troubled.remove(channel) }
        }
        var moves: [Move] = []
        if !lane.breaker.allows(at: now), let until = lane.breaker.openUntil {
            moves = lane.waiting.map { .postpone($0, until: until) }
            for letter in lane.waiting { count(letter.host, waiting: -1) }
            lane.waiting = []
            queue.removeAll { $0 == channel }
        }
        lanes[channel] = lane
        forgetIdle(at: now)
        return moves + release(at: now)
    }

    /// When ``release(at:)`` has something to do again without an attempt that ends; `nil` for never.
    func nextRelease(at now: Int64) -> Int64? {
        guard running < limits.concurrent else { return nil }
        return queue.compactMap { key -> Int64? in
            guard let lane = lanes[key], mayRun(lane) else { return nil }
            return now + lane.bucket.wait(at: now)
        }.min()
    }

    /// Sends what may be sent now, one letter per channel in turn.
    mutating func release(at now: Int64) -> [Move] {
        var moves: [Move] = []
        var blocked = 0
        while running < limits.concurrent, blocked < queue.count {
            let key = queue.removeFirst()
            var lane = lane(key)
            while let letter = lane.waiting.first, letter.leaseEnd - now < limits.attemptTime {
                moves.append(.drop(letter))
                lane.waiting.removeFirst()
                count(letter.host, waiting: -1)
            }
            let mayGo = mayRun(lane) && lane.breaker.allows(at: now)
            if let letter = lane.waiting.first, mayGo, lane.bucket.take(at: now) {
                moves.append(.send(letter))
                lane.waiting.removeFirst()
                lane.running += 1
                count(letter.host, running: 1, waiting: -1)
                lane.breaker.begin()
                blocked = 0
            } else {
                blocked += 1
            }
            if !lane.waiting.isEmpty { queue.append(key) }
            lanes[key] = lane
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
    private func mayRun(_ lane: Lane) -> Bool {
        guard let host = lane.waiting.first?.host else { return false }
        return lane.running < runningLimit(lane) && (hosts[host]?.running ?? 0) < limits.perHost
    }

    private mutating func count(_ host: String, running more: Int = 0, waiting others: Int = 0) {
        running += more
        waiting += others
        let before = hosts[host] ?? (0, 0)
        let now = (running: before.running + more, waiting: before.waiting + others)
        hosts[host] = now == (0, 0) ? nil : now
    }

    private func lane(_ key: Channel) -> Lane {
        lanes[key]
            ?? Lane(
                bucket: TokenBucket(
                    capacity: limits.perSecond, refillEvery: max(1, 1_000_000_000 / Int64(limits.perSecond))))
    }

    private mutating func forgetIdle(at now: Int64) {
        guard lanes.count > Self.laneLimit else { return }
        lanes = lanes.filter { _, lane in
            lane.running > 0 || !lane.waiting.isEmpty || now - lane.lastUsed < 600_000_000_000
        }
        troubled = troubled.filter { lanes[$0] != nil }
    }
}
