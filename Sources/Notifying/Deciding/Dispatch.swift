import Web

/// Decides which letters are sent now and which wait: a bulkhead per receiver, so that one that is slow or
/// gone delays nobody else.
///
/// Knows no clock: each call says the time, in nanoseconds.
struct Dispatch<Content> {
    /// What is to be done.
    enum Move {
        /// Send it; ``ended(_:at:failed:asked:)`` says what came of it.
        case send(Letter<Content>)
        /// Give it back until then: the receiver is left alone.
        case postpone(Letter<Content>, until: Int64)
        /// Forget it: its claim is as good as over, so it will be claimed again.
        case drop(Letter<Content>)
    }

    private struct Lane {
        var running = 0
        var waiting: [Letter<Content>] = []
        var bucket: TokenBucket
        var breaker = CircuitBreaker()
        var lastUsed: Int64 = 0
        /// Answers since the last failure: who is new or was not there gets little at first, so that many
        /// that hang at once do not take all there is.
        var answers = 0
    }

    private let limits: DispatchLimits
    private var lanes: [String: Lane] = [:]
    /// Receivers with letters that wait, longest first.
    private var queue: [String] = []
    /// Receivers that failed last.
    private var troubled: Set<String> = []
    /// Attempts under way.
    private(set) var running = 0
    /// Letters that wait.
    private(set) var waiting = 0

    /// Receivers that are remembered at most while nothing goes to them.
    private static var laneLimit: Int { 10_000 }

    init(_ limits: DispatchLimits) { self.limits = limits }

    /// How many more letters should be claimed.
    var room: Int { max(0, limits.concurrent + limits.waitingInAll - running - waiting) }

    /// Receivers to which letters are of no use now.
    func blocked(at now: Int64) -> Set<String> {
        troubled.union(queue).filter { key in
            guard let lane = lanes[key] else { return false }
            return !lane.breaker.allows(at: now) || lane.waiting.count >= waitingLimit(lane)
        }
    }

    /// Receivers that are left alone after failures.
    func leftAlone(at now: Int64) -> Int {
        troubled.count { lanes[$0].map { !$0.breaker.allows(at: now) } ?? false }
    }

    private func waitingLimit(_ lane: Lane) -> Int { min(limits.waiting, 4 + lane.answers) }

    private func runningLimit(_ lane: Lane) -> Int { min(limits.perDestination, 1 + lane.answers) }

    /// Takes a claimed letter.
    mutating func take(_ letter: Letter<Content>, at now: Int64) -> [Move] {
        var lane = lane(letter.destination)
        lane.lastUsed = now
        if !lane.breaker.allows(at: now) {
            // A probe is under way, or it is too early: by then one of the two is over.
            let until = max(lane.breaker.openUntil ?? now, now + 1_000_000_000)
            lanes[letter.destination] = lane
            return [.postpone(letter, until: until)]
        }
        if lane.waiting.count >= waitingLimit(lane) {
            // Given back at once; ``blocked(at:)`` keeps it from being claimed before there is a place.
            return [.postpone(letter, until: now)]
        }
        lane.waiting.append(letter)
        waiting += 1
        if lane.waiting.count == 1 { queue.append(letter.destination) }
        lanes[letter.destination] = lane
        return release(at: now)
    }

    /// An attempt is over.
    ///
    /// - Parameters:
    ///   - destination: Where to.
    ///   - now: The time.
    ///   - failed: Whether the receiver did not answer, or said that it cannot.
    ///   - asked: Nanoseconds for which it asks to be left alone.
    /// - Returns: What is to be done now.
    mutating func ended(
        _ destination: String, at now: Int64, failed: Bool, asked: Int64 = 0
    ) -> [Move] {
        running -= 1
        var lane = lane(destination)
        lane.running -= 1
        lane.lastUsed = now
        if failed {
            lane.breaker.failed(at: now, asked: asked)
            lane.answers = 0
            troubled.insert(destination)
        } else {
            lane.breaker.succeeded()
            lane.answers = min(lane.answers + 1, limits.waiting)
            troubled.remove(destination)
        }
        var moves: [Move] = []
        if !lane.breaker.allows(at: now), let until = lane.breaker.openUntil {
            moves = lane.waiting.map { .postpone($0, until: until) }
            waiting -= lane.waiting.count
            lane.waiting = []
            queue.removeAll { $0 == destination }
        }
        lanes[destination] = lane
        forgetIdle(at: now)
        return moves + release(at: now)
    }

    /// When ``release(at:)`` has something to do again without an attempt that ends; `nil` for never.
    func nextRelease(at now: Int64) -> Int64? {
        guard running < limits.concurrent else { return nil }
        return queue.compactMap { key -> Int64? in
            guard let lane = lanes[key], lane.running < runningLimit(lane) else { return nil }
            return now + lane.bucket.wait(at: now)
        }.min()
    }

    /// Sends what may be sent now, one letter per receiver in turn.
    mutating func release(at now: Int64) -> [Move] {
        var moves: [Move] = []
        var blocked = 0
        while running < limits.concurrent, blocked < queue.count {
            let key = queue.removeFirst()
            var lane = lane(key)
            while let letter = lane.waiting.first, letter.leaseEnd - now < limits.attemptTime {
                moves.append(.drop(letter))
                lane.waiting.removeFirst()
                waiting -= 1
            }
            let mayGo = lane.running < runningLimit(lane) && lane.breaker.allows(at: now)
            if !lane.waiting.isEmpty, mayGo, lane.bucket.take(at: now) {
                moves.append(.send(lane.waiting.removeFirst()))
                waiting -= 1
                lane.running += 1
                running += 1
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
    mutating func close() -> [Letter<Content>] {
        let letters = queue.flatMap { lanes[$0]?.waiting ?? [] }
        for key in queue { lanes[key]?.waiting = [] }
        queue = []
        waiting = 0
        return letters
    }

    private func lane(_ key: String) -> Lane {
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
