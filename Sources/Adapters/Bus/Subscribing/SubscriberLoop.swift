import Instruments
import Threads

/// What the subscriber's thread does: it owns the sockets, always drains them, and hands batches over.
struct SubscriberLoop: ~Copyable {
    /// What the thread tells the rest of the subscriber.
    struct Callbacks: Sendable {
        /// Takes a batch; false when there is no room.
        var offer: @Sendable (BusBatch) -> Bool
        var hasRoom: @Sendable () -> Bool
        /// Whether an answer may be read now; if not, the thread is woken when it may.
        var mayReadAnswer: @Sendable () -> Bool
        var highWater: @Sendable () -> Int
        var counters: @Sendable (SubscriberCounters) -> Void
        var log: @Sendable (StaticString) -> Void
    }

    /// Nanoseconds.
    private static let tickInterval: Int64 = 500_000_000
    /// Nanoseconds.
    private static let longestStandstill: Int64 = 10_000_000_000
    /// Nanoseconds.
    private static let recreateAfter: Int64 = 10_000_000_000
    /// Nanoseconds.
    static let tokenLifetime: Int64 = 5_000_000_000
    static let batchBytes = 256 << 10
    /// Full batches after which the thread looks up for commands, answers and the time.
    private static let burst = 16

    let context: BusContext
    let configuration: SubscriberConfiguration
    private let mailbox: SubscriberMailbox
    private let wakeup: Wakeup
    let callbacks: Callbacks
    let subscriberID: UInt64

    var live: BusSocket
    var state: BusSocket
    private let topicFrame = BusFrame()
    let bodyFrame = BusFrame()
    private var poll = BusPoll(capacity: 3)

    var wanted: PrefixSet
    var tracker: StreamTracker
    var exchange = StateExchange()
    var builder: BatchBuilder
    var ledger = DroppedBatches()
    var counters = SubscriberCounters()
    private var metrics: SubscriberMetrics

    var token: SynchronizationToken
    var tokenNumber: UInt64 = 0
    var isTokenAnswered = false
    var tokenDeadline: Int64 = 0
    /// Prefixes whose retained state is asked for when the broker confirms the subscriptions.
    var unasked: [String]

    var now: Int64
    private var nextTick: Int64 = 0
    private var nextReport: Int64 = 0
    private var heardAt: Int64
    var createdAt: Int64
    var isSilent = false

    init(
        context: BusContext, configuration: SubscriberConfiguration, mailbox: SubscriberMailbox,
        wakeup: Wakeup,
        callbacks: Callbacks
    ) throws(BusError) {
        let subscriberID = UInt64.random(in: .min ... .max)
        let wanted = PrefixSet(configuration.prefixes)
        let token = SynchronizationToken(subscriber: subscriberID, number: 0)
        // Both before the first property: what cannot be copied cannot be half made.
        let live = try Self.makeLive(context, configuration, wanted, token)
        let state = try Self.makeState(context, configuration)
        self.context = context
        self.configuration = configuration
        self.mailbox = mailbox
        self.wakeup = wakeup
        self.callbacks = callbacks
        self.subscriberID = subscriberID
        self.wanted = wanted
        self.token = token
        let names = SubscriberNames()
        tracker = StreamTracker(names: names, prefixes: wanted, maximumTopics: configuration.maximumTopics)
        tracker.latestEpoch = PublisherEpoch.latest(at: BusClock.wall())
        builder = BatchBuilder(names: names)
        metrics = SubscriberMetrics(name: configuration.name)
        unasked = configuration.prefixes
        now = BusClock.monotonic()
        heardAt = now
        createdAt = now
        tokenDeadline = now + Self.tokenLifetime
        self.live = live
        self.state = state
    }

    /// Returns when the mailbox is stopped.
    mutating func run() throws(BusError) {
        while let commands = mailbox.take() {
            for command in commands { perform(command) }
            wait()
            now = BusClock.monotonic()
            try drainLive()
            try exchangeState()
            if now >= nextTick { try tick() }
        }
        report()
    }

    private mutating func wait() {
        poll.removeAll()
        poll.add(live)
        poll.add(wakeup)
        let readsAnswers = exchange.question != nil && callbacks.mayReadAnswer()
        if readsAnswers { poll.add(state) }
        var deadline = nextTick
        if let due = exchange.deadline, due < deadline { deadline = due }
        var milliseconds = max(0, (deadline - BusClock.monotonic() + 999_999) / 1_000_000)
        if !ledger.isEmpty { milliseconds = min(milliseconds, 20) }
        poll.wait(milliseconds: Int(milliseconds))
        if poll.isReady(1) { wakeup.drain() }
    }

    // MARK: - Live messages

    private mutating func drainLive() throws(BusError) {
        var isEmpty = false
        var rounds = 0
        while !isEmpty, rounds < Self.burst {
            rounds += 1
            while builder.messageCount < configuration.batchLimit, builder.byteCount < Self.batchBytes {
                if try !receiveLive() {
                    isEmpty = true
                    break
                }
            }
            flush()
        }
    }

    /// Takes one message; false when none is waiting.
    private mutating func receiveLive() throws(BusError) -> Bool {
        switch live.receive(into: topicFrame) {
        case .nothingWaiting: return false
        case .failed(let code): throw .failed("receiving from the bus", code)
        case .received: break
        }
        heardAt = now
        guard topicFrame.hasMore, case .received = live.receive(into: bodyFrame) else {
            counters.malformed &+= 1
            return true
        }
        if bodyFrame.hasMore {
            live.discardRest(using: bodyFrame)
            counters.malformed &+= 1
            return true
        }
        let topic = topicFrame.bytes
        switch topic.first {
        case SynchronizationToken.mark: if token.matches(topic) { synchronize() }
        case UInt8(ascii: "h") where topic.starts(with: "heartbeat.".utf8): acceptHeartbeat(topic)
        default: accept(topic)
        }
        return true
    }

    private mutating func accept(_ name: UnsafeRawBufferPointer) {
        let envelope = bodyFrame.bytes
        guard let scan = EnvelopeScan(envelope), let (index, known) = tracker.topic(name) else {
            counters.malformed &+= 1
            return
        }
        guard known == .deliver else {
            counters.refused &+= 1
            return
        }
        let verdict = tracker.receive(
            topic: index, producer: scan.producer, epoch: scan.epoch, sequence: scan.sequence, now: now)
        if !tracker.notices.isEmpty { reportNotices() }
        switch verdict {
        case .deliver: break
        case .deliverAfterGap(let expected):
            counters.gaps &+= 1
            counters.missing &+= scan.sequence - expected
            builder.append(
                .gap(
                    BusGap(
                        topic: BusTopicIndex(rawValue: Int32(index)), producer: tracker.judgedProducer,
                        expected: expected, received: scan.sequence, cause: .sequence)))
        case .duplicate:
            counters.duplicates &+= 1
            return
        case .obsolete:
            counters.obsolete &+= 1
            return
        case .refused, .malformed:
            counters.refused &+= 1
            return
        case .unwanted: return
        }
        counters.received &+= 1
        counters.receivedBytes &+= UInt64(envelope.count)
        // It says nothing but that nothing follows.
        if scan.isTombstone { return tracker.end(index) }
        builder.append(
            envelope, scan, topic: BusTopicIndex(rawValue: Int32(index)), producer: tracker.judgedProducer,
            isRetained: false)
    }

    private mutating func acceptHeartbeat(_ topic: UnsafeRawBufferPointer) {
        let envelope = bodyFrame.bytes
        guard let scan = EnvelopeScan(envelope),
            let heartbeat = EnvelopeScan.event(40, in: envelope),
            tracker.receiveHeartbeat(
                heartbeat, on: topic, producer: scan.producer, epoch: scan.epoch, now: now)
        else {
            counters.malformed &+= 1
            return
        }
        counters.heartbeats &+= 1
        if !tracker.notices.isEmpty { reportNotices() }
        accept(topic)
    }

    private mutating func reportNotices() {
        for notice in tracker.takeNotices() {
            switch notice {
            case .gap(let gap):
                counters.gaps &+= 1
                builder.append(.gap(gap))
            case .silent(let producer): builder.append(.producerSilent(builder.name(producer)))
            case .back(let producer): builder.append(.producerBack(builder.name(producer)))
            case .restarted(let producer, let epoch):
                builder.append(.producerRestarted(builder.name(producer), epoch: epoch))
            }
        }
    }

    mutating func flush() {
        guard !builder.isEmpty || !ledger.isEmpty && callbacks.hasRoom() else { return }
        if ledger.isEmpty {
            let batch = builder.finish(after: [])
            if !callbacks.offer(batch) { note(batch) }
            return
        }
        guard callbacks.hasRoom() else {
            note(builder.finish(after: []))
            return
        }
        let batch = builder.finish(after: ledger.settle())
        if !callbacks.offer(batch) { note(batch) }
    }

    private mutating func note(_ batch: BusBatch) {
        let lost = ledger.note(batch)
        counters.dropped &+= UInt64(lost.messages)
        if lost.hasRetained { exchange.spoil() }
        for answer in lost.answers { _ = exchange.ask(answer.prefixes) }
    }

    // MARK: - Subscriptions

    private mutating func perform(_ command: SubscriberMailbox.Command) {
        switch command {
        case .subscribe(let prefixes):
            let new = prefixes.filter { wanted.insert($0) }
            guard !new.isEmpty else { return }
            tracker.want(wanted)
            for prefix in new { live.subscribe(prefix) }
            unasked += new
            renewToken()
        case .unsubscribe(let prefixes):
            let gone = prefixes.filter { wanted.remove($0) }
            for prefix in gone { live.unsubscribe(prefix) }
            tracker.want(wanted)
            exchange.forget(gone)
            unasked.removeAll { gone.contains($0) }
        case .requestState(let prefixes):
            tracker.ask(prefixes)
            ask(prefixes)
        }
    }

    private mutating func renewToken() {
        tokenNumber += 1
        let next = SynchronizationToken(subscriber: subscriberID, number: tokenNumber)
        live.subscribe(next.topic)
        live.unsubscribe(token.topic)
        token = next
        isTokenAnswered = false
        tokenDeadline = now + Self.tokenLifetime
    }

    private mutating func synchronize() {
        counters.synchronizations &+= 1
        tracker.synchronize()
        // A second answer to one token means that ZeroMQ has connected again: anything may have been missed.
        if isTokenAnswered { unasked = Array(wanted.prefixes) }
        isTokenAnswered = true
        let prefixes = unasked.sorted()
        unasked = []
        builder.append(.synchronized(prefixes))
        if configuration.asksForState { ask(prefixes) }
    }

    // MARK: - Time

    private mutating func tick() throws(BusError) {
        let stood = Self.standstill(due: nextTick, now: now)
        if stood > 0 {
            tracker.forgive(stood, now: now)
            heardAt = min(now, heardAt + stood)
        }
        nextTick = now + Self.tickInterval
        tracker.latestEpoch = PublisherEpoch.latest(at: BusClock.wall())
        tracker.tick(now: now)
        reportNotices()
        if now - heardAt <= StreamTracker.silence {
            isSilent = false
        } else if !isSilent {
            isSilent = true
            builder.append(.busSilent)
        }
        if !isTokenAnswered, now >= tokenDeadline { renewToken() }
        if now - max(heardAt, createdAt) > Self.recreateAfter || tracker.isSubscriptionInDoubt {
            try recreate()
        }
        flush()
        forget()
        if now >= nextReport { report() }
    }

    /// For how many nanoseconds the thread itself stood still, as on a machine under load: who was not heard
    /// meanwhile was not silent.
    ///
    /// After ten seconds they were all the same: what is known is too old to be called live.
    static func standstill(due: Int64, now: Int64) -> Int64 {
        let late = due == 0 ? 0 : now - due
        return (tickInterval...longestStandstill).contains(late) ? late : 0
    }

    private mutating func report() {
        nextReport = now + 1_000_000_000
        counters.waitingMessagesMaximum = callbacks.highWater()
        callbacks.counters(counters)
        metrics.report(counters)
    }
}
