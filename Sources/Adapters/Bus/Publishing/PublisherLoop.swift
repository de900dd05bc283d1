import Instruments
import Threads
import Wire

/// What the publisher's thread does: it owns the socket, sends what is offered and beats once a second.
struct PublisherLoop: ~Copyable {
    /// What the thread tells the rest of the publisher.
    struct Report: Sendable {
        var counters: @Sendable (PublisherCounters) -> Void
        var presence: @Sendable (Bool) -> Void
        var snapshotWanted: @Sendable (String) -> Void
        var beat: @Sendable () -> Void
        /// The broker does not take this service's keys, or wants some.
        var refused: @Sendable () -> Void
    }

    /// Nanoseconds.
    private static let beatInterval: Int64 = 1_000_000_000
    /// Nanoseconds after which whoever was refused tries again.
    private static let refusalPause: Int64 = 5_000_000_000
    /// What a broker sends up to ask for a snapshot: this byte, then the topic.
    ///
    /// ZeroMQ itself uses 0 and 1.
    static let snapshotRequestMark: UInt8 = 2

    private let address: String
    private let queue: PublisherQueue
    private let wakeup: Wakeup
    private let report: Report
    private let context: BusContext
    private let sendHighWaterMark: Int
    private var socket: BusSocket
    private var handshakes: HandshakeWatch
    private var refusedAt: Int64?
    private let topicFrame = BusFrame()
    private let bodyFrame = BusFrame()
    private var poll = BusPoll(capacity: 2)
    /// What is told of the numbers of each life, by its place; the first is that of the publisher itself.
    private var beats: [LifeBeats]
    /// The life that was found to have its say a moment ago.
    private var speaking: PublisherLife?
    private var counters = PublisherCounters()
    private var subscriptions = 0
    private var isPresent = false
    private var nextBeat: Int64 = 0
    private var window: FlowWindow
    /// Nanoseconds.
    private let patience: Int64
    private let clock: @Sendable () -> Timestamp
    private let markPrefix: [UInt8]
    private var metrics: PublisherMetrics

    init(
        context: BusContext, configuration: PublisherConfiguration, heartbeatTopic: PublisherTopic,
        queue: PublisherQueue, wakeup: Wakeup, report: Report
    ) throws(BusError) {
        // Before the first property: what cannot be copied cannot be half made.
        let socket = try BusSocket(.publisher, context: context)
        let handshakes = try HandshakeWatch(of: socket, in: context)
        socket.setSendHighWaterMark(configuration.sendHighWaterMark)
        try socket.connect(configuration.addresses.publish)
        self.context = context
        self.handshakes = handshakes
        sendHighWaterMark = configuration.sendHighWaterMark
        address = configuration.addresses.publish
        self.queue = queue
        self.wakeup = wakeup
        self.report = report
        clock = configuration.clock
        beats = [LifeBeats(heartbeatTopic)]
        markPrefix = FlowMark.prefix(
            producer: configuration.producer, epoch: heartbeatTopic.life.epoch)
        window = FlowWindow(limit: Self.limit(configuration))
        // Bounded, so that the sum stays one: a million seconds are eleven days.
        let (seconds, attoseconds) = configuration.brokerPatience.components
        patience = min(seconds, 1_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
        metrics = PublisherMetrics(producer: configuration.producer)
        poll.add(socket)
        poll.add(wakeup)
        self.socket = socket
    }

    /// Returns when the queue is closed and everything in it is sent.
    mutating func run() throws(BusError) {
        while true {
            try readSubscriptions()
            let now = BusClock.monotonic()
            if now >= nextBeat {
                beat(now)
                try comeAgain(now)
            }
            guard let drained = queue.takeAll(orSleep: true) else {
                poll.wait(milliseconds: Int(max(0, (nextBeat - now + 999_999) / 1_000_000)))
                if poll.isReady(1) { wakeup.drain() }
                queue.wake()
                continue
            }
            if drained.isClosed, drained.batches.isEmpty {
                note(drained.refusedThrough)
                break
            }
            try send(drained)
        }
        // The last numbers once more, so that a loss at the very end is noticed.
        beat(BusClock.monotonic())
    }

    private static func limit(_ configuration: PublisherConfiguration) -> Int {
        let mark = configuration.sendHighWaterMark
        guard mark > 0 else { return configuration.maximumUnderWay }
        return min(configuration.maximumUnderWay, max(1, mark * 2 / 5))
    }

    private mutating func send(_ drained: consuming PublisherQueue.DrainedBatches) throws(BusError) {
        var batches = drained.batches
        drained.batches = []
        for index in batches.indices {
            var batch = OutboundBatch()
            swap(&batch, &batches[index])
            try send(batch)
            queue.recycle(batch)
        }
        note(drained.refusedThrough)
        publishCounters()
    }

    private mutating func send(_ batch: borrowing OutboundBatch) throws(BusError) {
        let time = clock()
        var failure: BusError?
        speaking = nil
        batch.bytes.withUnsafeBytes { bytes in
            var start = 0
            for record in batch.records {
                do throws(BusError) { try waitForBroker() } catch {
                    failure = error
                    return
                }
                let payload = UnsafeRawBufferPointer(rebasing: bytes[start..<record.end])
                if hasSay(record.topic.life) {
                    send(payload, record.topic, record.sequence, time)
                } else {
                    counters.silenced &+= 1
                }
                start = record.end
            }
        }
        if let failure { throw failure }
    }

    private mutating func send(
        _ payload: UnsafeRawBufferPointer, _ topic: PublisherTopic, _ sequence: UInt64, _ time: Timestamp
    ) {
        let slot = slot(of: topic.life)
        if payload.isEmpty { beats[slot].plan.end(topic) } else { beats[slot].plan.note(topic, sequence) }
        guard isPresent else {
            counters.unheard &+= 1
            return
        }
        let size = EnvelopeHeader.size(prefixCount: topic.life.prefix.count) + payload.count
        guard size <= BusSocket.maximumEnvelopeBytes else {
            counters.oversized &+= 1
            return
        }
        topicFrame.fill(topic.bytes)
        let target = bodyFrame.allocate(size)
        let headerSize = EnvelopeHeader.write(
            prefix: topic.life.prefix, sequence: sequence, publishedTime: time, into: target)
        UnsafeMutableRawBufferPointer(rebasing: target[headerSize...]).copyMemory(from: payload)
        guard socket.send(topicFrame, more: true) == .sent, socket.send(bodyFrame) == .sent else {
            counters.failed &+= 1
            return
        }
        window.send()
        if let number = window.mark() { send(mark: number) }
        counters.sent &+= 1
        counters.sentBytes &+= UInt64(size)
    }

    // MARK: - Lives

    /// Whether messages of a life are sent: asked once a batch, since a batch leaves within a moment.
    private mutating func hasSay(_ life: PublisherLife) -> Bool {
        if speaking === life { return true }
        guard life.isAsked() else { return false }
        speaking = life
        return true
    }

    /// The place of a life, which may be new there.
    private mutating func slot(of life: PublisherLife) -> Int {
        while beats.count <= life.slot { beats.append(LifeBeats()) }
        if beats[life.slot].topic?.life !== life {
            beats[life.slot] = LifeBeats(
                PublisherTopic(text: Topic.heartbeat(producer: life.producer), index: 0, of: life))
        }
        return life.slot
    }

    private mutating func note(_ refused: [PublisherTopic: UInt64]) {
        for (topic, sequence) in refused where !topic.life.isOver {
            beats[slot(of: topic.life)].plan.note(topic, sequence)
        }
    }

    private func send(mark number: UInt64) {
        topicFrame.fill(FlowMark.topic(prefix: markPrefix, number: number))
        bodyFrame.fill([])
        if socket.send(topicFrame, more: true) == .sent { _ = socket.send(bodyFrame) }
    }

    /// Lets a broker that is behind catch up, so that ZeroMQ has nothing to drop; meanwhile batches wait in
    /// the queue, where further ones are refused or their owners wait.
    private mutating func waitForBroker() throws(BusError) {
        guard !window.isOpen else { return }
        // Who had a say before the wait may have none after it.
        defer { speaking = nil }
        try readSubscriptions()
        let end = BusClock.monotonic() + patience
        while isPresent, !window.isOpen {
            poll.wait(milliseconds: 20)
            if poll.isReady(1) { wakeup.drain() }
            try readSubscriptions()
            let now = BusClock.monotonic()
            if now >= nextBeat { beat(now) }
            guard now >= end else { continue }
            counters.impatience &+= 1
            window.giveUp()
        }
    }

    private mutating func beat(_ now: Int64) {
        nextBeat = now + Self.beatInterval
        let time = clock()
        for slot in beats.indices {
            guard let topic = beats[slot].topic, topic.life.isAsked() else {
                beats[slot] = LifeBeats()
                continue
            }
            for message in beats[slot].plan.next() {
                let sequence = topic.nextSequence()
                EventEncoder.encode(.heartbeat(message)).withUnsafeBytes { send($0, topic, sequence, time) }
                counters.heartbeats &+= 1
            }
        }
        publishCounters()
        metrics.report(counters)
        report.beat()
    }

    /// Connects anew after a refusal: ZeroMQ itself gives up a connection that was refused, and the broker
    /// may know the key by then.
    ///
    /// Source: libzmq 4.3.4, session_base.cpp, `engine_error`: an error of the protocol ends the session.
    private mutating func comeAgain(_ now: Int64) throws(BusError) {
        while let outcome = handshakes.next() {
            if outcome == .accepted {
                refusedAt = nil
            } else {
                if refusedAt == nil { report.refused() }
                refusedAt = now
            }
        }
        guard let refusedAt, now - refusedAt >= Self.refusalPause, !isPresent else { return }
        self.refusedAt = now
        let socket = try BusSocket(.publisher, context: context)
        let handshakes = try HandshakeWatch(of: socket, in: context)
        socket.setSendHighWaterMark(sendHighWaterMark)
        try socket.connect(address)
        poll.removeAll()
        poll.add(socket)
        poll.add(wakeup)
        self.socket = socket
        self.handshakes = handshakes
    }

    private mutating func publishCounters() {
        let figures = queue.figures
        counters.offered = figures.offered
        counters.refused = figures.refused
        counters.waitingBatchesMaximum = figures.highWater
        report.counters(counters)
    }

    /// Subscriptions come up from the broker like messages: they tell that it is there, or gone.
    private mutating func readSubscriptions() throws(BusError) {
        reading: while true {
            switch socket.receive(into: bodyFrame) {
            case .nothingWaiting: break reading
            case .failed(let code): throw .failed("receiving subscriptions", code)
            case .received: note(subscription: bodyFrame.bytes)
            }
        }
        guard (subscriptions > 0) != isPresent else { return }
        isPresent = subscriptions > 0
        window.reset()
        if isPresent { counters.brokerAppearances &+= 1 }
        report.presence(isPresent)
        // Inside a process ZeroMQ does not connect again by itself.
        if !isPresent, address.hasPrefix("inproc:") { try socket.connect(address) }
    }

    private mutating func note(subscription bytes: UnsafeRawBufferPointer) {
        switch bytes.first {
        case 1: subscriptions += 1
        case 0: subscriptions = max(0, subscriptions - 1)
        case FlowMark.answerMark:
            if let number = FlowMark.number(in: bytes.dropFirst(), prefix: markPrefix) {
                window.receive(mark: number)
            }
        case Self.snapshotRequestMark:
            report.snapshotWanted(String(decoding: bytes.dropFirst(), as: UTF8.self))
        default: break
        }
    }
}

/// What is told once a second of the numbers of one life.
private struct LifeBeats {
    /// `nil` in a place that is free.
    var topic: PublisherTopic?
    var plan = HeartbeatPlan()

    init(_ topic: PublisherTopic? = nil) { self.topic = topic }
}
