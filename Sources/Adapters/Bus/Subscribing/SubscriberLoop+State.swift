import Wire

/// What the broker retains is asked for, read within what there is room for, and asked for again when it was
/// lost.
extension SubscriberLoop {
    /// Reads answers that have come, and asks what is to be asked next.
    mutating func exchangeState() throws(BusError) {
        if exchange.question != nil { try readAnswers() }
        if exchange.expire(now: now, jitter: Double.random(in: 0...1)) { counters.stateTimeouts &+= 1 }
        if let question = exchange.next(now: now) { send(question) }
    }

    private mutating func send(_ question: StateExchange.Question) {
        bodyFrame.fill(StateRequest(id: question.id, prefixes: question.prefixes).frame)
        guard state.send(bodyFrame) == .sent else {
            exchange.abandon(now: now, jitter: Double.random(in: 0...1))
            return
        }
        counters.stateRequests &+= 1
    }

    private mutating func readAnswers() throws(BusError) {
        while exchange.question != nil {
            guard callbacks.mayReadAnswer() else {
                exchange.extend(now: now)
                return
            }
            switch state.receive(into: bodyFrame) {
            case .nothingWaiting: return
            case .failed(let code): throw .failed("receiving the bus's state", code)
            case .received where bodyFrame.hasMore:
                state.discardRest(using: bodyFrame)
                counters.malformed &+= 1
            case .received: acceptAnswer()
            }
        }
    }

    private mutating func acceptAnswer() {
        guard let reply = StateReplyReader(bodyFrame.bytes) else {
            counters.malformed &+= 1
            return
        }
        guard
            exchange.receive(
                id: reply.requestID, messages: reply.messages.count, incomplete: reply.incomplete, now: now)
        else { return }
        for message in reply.messages {
            acceptRetained(message.topic, message.envelope)
            if builder.messageCount >= configuration.batchLimit || builder.byteCount >= Self.batchBytes {
                flush()
            }
        }
        flush()
        guard reply.isLast, let done = exchange.finish(now: now, jitter: Double.random(in: 0...1)) else {
            return
        }
        builder.append(
            .stateAnswered(
                BusStateAnswer(prefixes: done.prefixes, messages: done.messages, incomplete: done.incomplete))
        )
        flush()
    }

    private mutating func acceptRetained(_ name: UnsafeRawBufferPointer, _ envelope: UnsafeRawBufferPointer) {
        guard let scan = EnvelopeScan(envelope), let (index, known) = tracker.topic(name) else {
            counters.malformed &+= 1
            return
        }
        guard known == .deliver else {
            counters.refused &+= 1
            return
        }
        let verdict = tracker.receiveRetained(
            topic: index, producer: scan.producer, epoch: scan.epoch, sequence: scan.sequence,
            isLastValue: !name.starts(with: "book.delta.".utf8) && !name.starts(with: "book.snapshot.".utf8),
            now: now)
        guard verdict == .deliver else { return }
        counters.retained &+= 1
        builder.append(
            envelope, scan, topic: BusTopicIndex(rawValue: Int32(index)), producer: tracker.judgedProducer,
            isRetained: true)
    }

    /// Has the state under some prefixes told, of which not all are ones that anything is retained under.
    mutating func ask(_ prefixes: [String]) {
        if !exchange.ask(prefixes.filter(Self.isAskable)) {
            callbacks.log("Too many prefixes to ask for state")
        }
    }

    /// Whether anything under the prefix can be retained, and the broker takes the prefix.
    private static func isAskable(_ prefix: String) -> Bool {
        if prefix.isEmpty { return true }
        guard prefix.last == "." else { return false }
        return (Topic.retainedPrefixes + ["book.delta."]).contains {
            $0.hasPrefix(prefix) || prefix.hasPrefix($0)
        }
    }
}
