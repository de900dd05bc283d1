import Bus
import Threads

/// What the broker's thread does: it owns the three sockets, passes messages on, and answers about retained
/// state.
struct BrokerLoop: ~Copyable {
    /// What the thread asks of the rest of the broker, and tells it.
    struct Events {
        var isStopped: @Sendable () -> Bool
        var bound: (BusAddresses) -> Void
        var report: (GuardReport) -> Void
    }

    /// Messages passed on before the thread looks at its other sockets.
    private static let messageBurst = 1_000
    /// Bursts that are still passed on when the broker is stopped.
    private static let lastBursts = 1_000
    private static let subscriptionBurst = 10_000
    private static let requestBurst = 16
    /// Nanoseconds.
    private static let second: Int64 = 1_000_000_000
    /// An answer that nobody takes for so long is abandoned.
    ///
    /// Nanoseconds.
    private static let answerPatience: Int64 = 10_000_000_000
    /// What asks publishers for a snapshot: this byte, then the topic.
    ///
    /// ZeroMQ itself uses 0 and 1.
    private static let snapshotRequestMark: UInt8 = 2

    private let input: BusSocket
    private let output: BusSocket
    private let state: BusSocket
    private let topicFrame = BusFrame()
    private let bodyFrame = BusFrame()
    private let restFrame = BusFrame()
    private var poll = BusPoll(capacity: 5)
    /// Whom an encrypted bus lets in; `nil` for one that takes everybody.
    private let access: BrokerGuard?
    private let wakeup: Wakeup
    private let isStopped: @Sendable () -> Bool
    private let limits: BrokerLimits
    private var store: RetainedStore
    private var publisher: BrokerPublisher
    private var figures = BrokerFigures()
    private var metrics = BrokerMetrics()
    private var answers: [StateAnswer] = []
    private var turns = AnswerTurns()
    private var now = BusClock.monotonic()
    private var nextBeat: Int64 = 0
    private var beatFigures = BrokerFigures()
    private var beatAt = BusClock.monotonic()

    /// Binds the sockets and returns where they really listen.
    init(
        context: BusContext, configuration: BusBrokerConfiguration, publisher: BrokerPublisher,
        wakeup: Wakeup, events: Events
    ) throws(BusError) {
        // Before the first property: what cannot be copied cannot be half made.
        let input = try BusSocket(.brokerInput, context: context)
        let output = try BusSocket(.brokerOutput, context: context)
        let state = try BusSocket(.stateServer, context: context)
        input.setReceiveHighWaterMark(configuration.receiveHighWaterMark)
        output.setSendHighWaterMark(configuration.sendHighWaterMark)
        var access: BrokerGuard?
        if let keys = configuration.brokerKeys {
            access = try BrokerGuard(
                context: context, folder: keys.allowedFolder,
                trustsInside: configuration.hasInsideAddress, report: events.report)
            input.guardConnections(with: keys.pair)
            output.guardConnections(with: keys.pair)
            state.guardConnections(with: keys.pair)
            output.judgeSubscriptions()
        }
        var real: [BusAddresses] = []
        for addresses in [configuration.addresses] + configuration.additionalAddresses {
            try addresses.checkBindable(hasKeys: access != nil)
            try input.bind(addresses.publish)
            let publish = input.lastEndpoint
            try output.bind(addresses.subscribe)
            let subscribe = output.lastEndpoint
            try state.bind(addresses.state)
            real.append(BusAddresses(publish: publish, subscribe: subscribe, state: state.lastEndpoint))
        }
        if let access, let keys = configuration.brokerKeys {
            access.watch(ports: real.compactMap(\.subscribePort))
            for addresses in real where !addresses.isInside {
                try StrangerProof.run(addresses, server: keys.pair.publicKey, access)
            }
        }
        self.access = access
        self.wakeup = wakeup
        isStopped = events.isStopped
        self.publisher = publisher
        limits = configuration.limits
        store = RetainedStore(limits: limits)
        store.latestEpoch = PublisherEpoch.latest(at: BusClock.wall())
        // Everything, also what nobody follows yet: state must be remembered before the first subscriber
        // comes.
        bodyFrame.fill([1])
        _ = input.send(bodyFrame)
        poll.add(input)
        poll.add(output)
        poll.add(state)
        poll.add(wakeup)
        access?.join(&poll)
        self.input = input
        self.output = output
        self.state = state
        events.bound(real[0])
    }

    /// Returns when the broker is stopped, after passing on what had arrived.
    mutating func run() throws(BusError) {
        while !isStopped() {
            let wait = answers.isEmpty ? max(0, (nextBeat - BusClock.monotonic() + 999_999) / 1_000_000) : 1
            poll.wait(milliseconds: Int(wait))
            now = BusClock.monotonic()
            if poll.isReady(3) { wakeup.drain() }
            try admit()
            try forward()
            try readSubscriptions()
            try readRequests()
            serveAnswers()
            if now >= nextBeat { beat() }
        }
        // Publishers that go on meanwhile are not waited for.
        var bursts = 0
        while try forward(), bursts < Self.lastBursts { bursts += 1 }
        metrics.report(figures, store)
    }

    /// Lets in whom the guard knows.
    private func admit() throws(BusError) {
        guard let access else { return }
        access.tick(now: now)
        try access.answerHandshakes()
    }

    // MARK: - Messages

    /// Passes on what waits, up to a burst; `false` when nothing waits any more.
    @discardableResult
    private mutating func forward() throws(BusError) -> Bool {
        for _ in 0..<Self.messageBurst {
            switch input.receive(into: topicFrame) {
            case .nothingWaiting: return false
            case .failed(let code): throw .failed("receiving from publishers", code)
            case .received: forwardOne()
            }
        }
        return true
    }

    private mutating func forwardOne() {
        guard topicFrame.hasMore, case .received = input.receive(into: bodyFrame) else {
            figures.malformed &+= 1
            return
        }
        if bodyFrame.hasMore {
            input.discardRest(using: bodyFrame)
            figures.malformed &+= 1
            return
        }
        if topicFrame.bytes.first == SynchronizationToken.mark, FlowMark.isMark(topicFrame.bytes) {
            // All before it has been passed on: its publisher may send more.
            restFrame.fill([FlowMark.answerMark] + Array(topicFrame.bytes))
            _ = input.send(restFrame)
            return
        }
        switch access?.judge(topicFrame, bodyFrame) {
        case nil, .pass: break
        case .drop: return
        case .replace(let envelope): bodyFrame.fill(envelope)
        }
        let size = bodyFrame.bytes.count
        switch store.take(topic: topicFrame.bytes, envelope: bodyFrame.bytes, now: now) {
        case .forward: break
        case .forwardAndAsk(let book): askForSnapshot(of: book)
        case .malformed:
            figures.malformed &+= 1
            return
        case .refused:
            figures.refused &+= 1
            return
        }
        figures.messages &+= 1
        figures.bytes &+= UInt64(size)
        // Sending to subscribers never blocks; what one of them has no room for, it alone loses, and it will
        // know.
        _ = output.send(topicFrame, more: true)
        _ = output.send(bodyFrame)
    }

    /// Asks all publishers; the one that has the topic answers by publishing.
    private func askForSnapshot(of book: Int) {
        restFrame.fill([Self.snapshotRequestMark] + Array(store.snapshotTopic(of: book).utf8))
        _ = input.send(restFrame)
    }

    private mutating func readSubscriptions() throws(BusError) {
        for _ in 0..<Self.subscriptionBurst {
            switch output.receive(into: bodyFrame) {
            case .nothingWaiting:
                access?.endSubscriptions()
                return
            case .failed(let code): throw .failed("receiving subscriptions", code)
            case .received: break
            }
            let isTaken = access?.take(subscription: bodyFrame, on: output) ?? true
            note(bodyFrame.bytes, isTaken: isTaken)
            // The guard looks at each frame: ZeroMQ counts them.
            if access == nil { output.discardRest(using: bodyFrame) }
        }
    }

    private mutating func note(_ bytes: UnsafeRawBufferPointer, isTaken: Bool) {
        guard let first = bytes.first, first <= 1 else {
            figures.malformed &+= 1
            return
        }
        let topic = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        let isToken = SynchronizationToken.isToken(topic)
        if !isToken { figures.subscriptions = max(0, figures.subscriptions + (first == 1 ? 1 : -1)) }
        guard isToken, first == 1, isTaken else { return }
        figures.synchronizations &+= 1
        send(publisher.confirmation(on: topic, at: BusClock.wall()))
    }

    // MARK: - State

    private mutating func readRequests() throws(BusError) {
        for _ in 0..<Self.requestBurst {
            // Past the bound questions wait in ZeroMQ, where their number is bounded too.
            guard answers.count < limits.answers else { return }
            switch state.receive(into: topicFrame) {
            case .nothingWaiting: return
            case .failed(let code):
                throw .failed("receiving questions about state", code)
            case .received: readRequest()
            }
        }
    }

    private mutating func readRequest() {
        let peer = Array(topicFrame.bytes)
        guard topicFrame.hasMore, case .received = state.receive(into: bodyFrame) else {
            figures.stateRequestsMalformed &+= 1
            return
        }
        var hasDelimiter = false
        if bodyFrame.bytes.isEmpty, bodyFrame.hasMore {
            hasDelimiter = true
            _ = state.receive(into: bodyFrame)
        }
        guard !bodyFrame.hasMore, let request = StateRequest(bodyFrame.bytes) else {
            state.discardRest(using: bodyFrame)
            figures.stateRequestsMalformed &+= 1
            return
        }
        var (asked, refused): ([String], [String]) = ([], [])
        for prefix in request.prefixes {
            let isPrefix = prefix.isEmpty || prefix.last == "."
            if !isPrefix { figures.stateRequestsMalformed &+= 1 }
            if isPrefix, access?.mayAsk(prefix, bodyFrame) ?? true {
                asked.append(prefix)
            } else {
                refused.append(prefix)
            }
        }
        figures.stateRequests &+= 1
        let units = store.units(under: asked)
        answers.append(
            StateAnswer(
                peer: peer, hasDelimiter: hasDelimiter, requestID: request.id, units: units, refused: refused,
                now: now))
    }

    /// Sends one frame of each answer whose turn it is, so that messages wait at most for that.
    private mutating func serveAnswers() {
        guard !answers.isEmpty else { return }
        var wanted: [Int] = []
        // From behind, so that one that is taken out moves none whose turn it still is.
        for index in turns.next(of: answers.count).sorted(by: >) where !serve(index, &wanted) {
            answers.remove(at: index)
        }
        for book in wanted { askForSnapshot(of: book) }
    }

    /// Sends the next frame of an answer if it can; false when the answer is done or abandoned.
    private mutating func serve(_ index: Int, _ wanted: inout [Int]) -> Bool {
        guard let frame = answers[index].next(from: &store, now: now, wanted: &wanted) else { return false }
        switch send(frame, answers[index]) {
        case .sent:
            answers[index].advance(now: now)
            return true
        case .full where now - answers[index].movedAt < Self.answerPatience:
            return true
        case .full, .unreachable, .failed:
            figures.stateAnswersAbandoned &+= 1
            return false
        }
    }

    private func send(_ frame: [UInt8], _ answer: StateAnswer) -> BusSocket.SendResult {
        restFrame.fill(answer.peer)
        // The socket finds the peer, and whether it has room, with the first frame; the others always follow.
        let first = state.send(restFrame, more: true)
        guard first == .sent else { return first }
        if answer.hasDelimiter {
            restFrame.fill([])
            _ = state.send(restFrame, more: true)
        }
        restFrame.fill(frame)
        return state.send(restFrame)
    }

    // MARK: - Its own words

    private mutating func beat() {
        let seconds = Double(max(1, now - beatAt)) / Double(Self.second)
        figures.messagesPerSecond = Int(Double(figures.messages &- beatFigures.messages) / seconds)
        figures.bytesPerSecond = Int(Double(figures.bytes &- beatFigures.bytes) / seconds)
        beatFigures = figures
        beatAt = now
        nextBeat = now + Self.second
        if let access { figures.refusals = access.figures }
        store.latestEpoch = PublisherEpoch.latest(at: BusClock.wall())
        store.forget(now: now)
        for brokerMessage in publisher.beat(figures, store, at: BusClock.wall()) {
            brokerMessage.topic.withUnsafeBytes { topic in
                brokerMessage.envelope.withUnsafeBytes {
                    _ = store.take(topic: topic, envelope: $0, now: now)
                }
            }
            send(brokerMessage)
        }
        metrics.report(figures, store)
    }

    private func send(_ brokerMessage: BrokerPublisher.BrokerMessage) {
        restFrame.fill(brokerMessage.topic)
        _ = output.send(restFrame, more: true)
        restFrame.fill(brokerMessage.envelope)
        _ = output.send(restFrame)
    }
}
