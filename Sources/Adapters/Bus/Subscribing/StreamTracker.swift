/// Decides what each message is, by its number: the next one, one after a loss, one seen before, or one of a
/// past life.
///
/// Knows no socket and no clock; times are nanoseconds that the caller passes in. Holds one record per topic.
struct StreamTracker {
    /// What to do with a live message.
    enum Verdict: Hashable {
        case deliver
        /// Deliver it, after saying that `expected` and what follows are missing.
        case deliverAfterGap(expected: UInt64)
        case duplicate
        case obsolete
        /// No prefix asks for it any more.
        case unwanted
        /// There are too many topics or producers already.
        case refused
        /// The topic is no text that ends in a dot.
        case malformed
    }

    /// What was found out beside the messages.
    enum Notice: Hashable {
        case gap(BusGap)
        case silent(BusProducerIndex)
        case back(BusProducerIndex)
        case restarted(BusProducerIndex, epoch: UInt64)
    }

    struct Producer {
        var epoch: UInt64 = 0
        var heardAt: Int64 = 0
        var isSilent = false
        /// When it was heard, in the time of ``listened``.
        var listenedAt: Int64 = 0
    }

    /// A producer is silent after so many nanoseconds: three heartbeats missed.
    static let silence: Int64 = 3_000_000_000
    /// After so many heartbeats that name losses on a topic without any message, the subscription is in
    /// doubt.
    static let unansweredBeatsLimit: UInt8 = 3

    /// Notices since they were last taken.
    private(set) var notices: [Notice] = []
    /// A topic's messages never come although the heartbeats name them: the subscriptions must be made anew.
    private(set) var isSubscriptionInDoubt = false

    var names: SubscriberNames
    private var wanted: PrefixSet
    var topics: TopicTable
    var streams: [Stream] = []
    /// Streams of second and further producers of a topic, by topic and producer.
    var others: [UInt64: Stream] = [:]
    var producerTable = TopicTable(limit: 4_096)
    var producers: [Producer] = []
    private var generation: UInt32 = 0
    /// What silence for long is measured by.
    var listened = ListenedTime()
    /// When the silent are looked for next, in the time of ``listened``.
    var nextSweep: Int64 = 0
    /// The latest epoch that is believed; see ``PublisherEpoch``.
    var latestEpoch = UInt64.max
    /// Producers were forgotten: one that seems new may be one that was silent.
    var hasForgotten = false

    init(names: SubscriberNames, prefixes: PrefixSet, maximumTopics: Int) {
        self.names = names
        wanted = prefixes
        topics = TopicTable(limit: maximumTopics)
    }

    /// The producer of the message that was judged last.
    private(set) var judgedProducer = BusProducerIndex(rawValue: -1)

    /// Topics known.
    var topicCount: Int { topics.count }
    /// Producers known.
    var producerCount: Int { producerTable.count }

    /// Hands out the notices and forgets them.
    mutating func takeNotices() -> [Notice] {
        let taken = notices
        notices.removeAll(keepingCapacity: true)
        return taken
    }

    /// The number of a topic, which may be new; `nil` for what is no topic and when there are too many.
    mutating func topic(_ name: UnsafeRawBufferPointer) -> (index: Int, verdict: Verdict)? {
        if let index = topics.find(name) { return (index, .deliver) }
        guard (1...255).contains(name.count), name.last == UInt8(ascii: "."),
            let text = String(validating: name, as: UTF8.self)
        else { return nil }
        guard let index = topics.intern(name) else { return (-1, .refused) }
        names.put(topic: text, at: index)
        let new = Stream(isWanted: wanted.matches(text), heardAt: listened.nanoseconds)
        if index < streams.count { streams[index] = new } else { streams.append(new) }
        return (index, .deliver)
    }

    /// Judges a live message.
    mutating func receive(
        topic index: Int, producer name: UnsafeRawBufferPointer, epoch: UInt64, sequence: UInt64, now: Int64
    ) -> Verdict {
        streams[index].hear(at: listened.nanoseconds)
        let stream = streams[index]
        let known = Int(stream.producer)
        if stream.hasMessage, stream.epoch == epoch, stream.last &+ 1 == sequence, stream.isWanted,
            producerTable.isName(known, name), producers[known].epoch == epoch, !producers[known].isSilent
        {
            producers[known].heardAt = now
            producers[known].listenedAt = listened.nanoseconds
            streams[index].last = sequence
            streams[index].unansweredBeats = 0
            judgedProducer = BusProducerIndex(rawValue: stream.producer)
            return .deliver
        }
        guard epoch <= latestEpoch, let producer = producer(name) else { return .refused }
        judgedProducer = BusProducerIndex(rawValue: Int32(producer))
        guard admit(producer, epoch, now) else { return .obsolete }
        guard stream.isWanted else { return .unwanted }
        let generation = generation
        return withStream(index, producer) { $0.judge(sequence, in: epoch, since: generation) }
    }

    /// Judges a retained message: of topics that keep only the last message, one that a live one has
    /// overtaken is not needed, nor the last live one itself unless somebody asked for it again.
    mutating func receiveRetained(
        topic index: Int, producer name: UnsafeRawBufferPointer, epoch: UInt64, sequence: UInt64,
        isLastValue: Bool,
        now: Int64
    ) -> Verdict {
        guard epoch <= latestEpoch, let producer = producer(name) else { return .refused }
        judgedProducer = BusProducerIndex(rawValue: Int32(producer))
        // Its producer may be dead: from here on it has to be heard.
        if producers[producer].heardAt == 0 { producers[producer].heardAt = now }
        streams[index].hear(at: listened.nanoseconds)
        guard streams[index].isWanted else { return .unwanted }
        let isOld = withStream(index, producer) { stream in
            defer { stream.isAskedAgain = false }
            guard stream.hasMessage else { return false }
            if stream.epoch == epoch, stream.last == sequence { return !stream.isAskedAgain }
            return stream.epoch > epoch || stream.epoch == epoch && stream.last > sequence
        }
        return isLastValue && isOld ? .duplicate : .deliver
    }

    /// The state under these prefixes is asked for: whoever asks has lost it, or begins only now.
    mutating func ask(_ prefixes: [String]) {
        for prefix in prefixes {
            var prefix = prefix
            if let index = prefix.withUTF8({ topics.find(UnsafeRawBufferPointer($0)) }) {
                noteAsked(index)
            } else {
                for index in streams.indices
                where topics.isUsed(index) && topics.text(index).hasPrefix(prefix) {
                    noteAsked(index)
                }
            }
        }
    }

    private mutating func noteAsked(_ index: Int) {
        streams[index].isAskedAgain = true
        guard !others.isEmpty else { return }
        for key in others.keys where key >> 32 == UInt64(index) { others[key]?.isAskedAgain = true }
    }

    /// Compares the last numbers that a heartbeat names with what arrived; false when it makes no sense, as
    /// one on a topic that is not its producer's.
    mutating func receiveHeartbeat(
        _ heartbeat: UnsafeRawBufferPointer, on topic: UnsafeRawBufferPointer,
        producer name: UnsafeRawBufferPointer, epoch: UInt64, now: Int64
    ) -> Bool {
        guard HeartbeatTopic.isOwn(topic, of: name), epoch <= latestEpoch, let producer = producer(name)
        else { return false }
        guard admit(producer, epoch, now) else { return true }
        guard let (names, numbers) = Self.parse(heartbeat) else { return false }
        for (name, number) in zip(names, numbers) where number != 0 {
            guard let (index, verdict) = self.topic(name) else { return false }
            if index >= 0 { streams[index].hear(at: listened.nanoseconds) }
            if verdict == .deliver, streams[index].isWanted { compare(index, producer, epoch, number) }
        }
        return true
    }

    /// The broker has confirmed the subscriptions: from now on a number that rises without a message is a
    /// loss.
    mutating func synchronize() {
        generation &+= 1
        isSubscriptionInDoubt = false
        for index in streams.indices { streams[index].unansweredBeats = 0 }
    }

    /// Does not count so many nanoseconds, in which nobody listened, as silence of anybody.
    mutating func forgive(_ time: Int64, now: Int64) {
        for index in producers.indices where producers[index].heardAt != 0 {
            producers[index].heardAt = min(now, producers[index].heardAt + time)
        }
    }

    /// Notes which producers have fallen silent.
    mutating func tick(now: Int64) {
        for index in producers.indices {
            let producer = producers[index]
            guard producer.heardAt != 0, !producer.isSilent, now - producer.heardAt > Self.silence else {
                continue
            }
            producers[index].isSilent = true
            notices.append(.silent(BusProducerIndex(rawValue: Int32(index))))
        }
    }

    /// Changes what is wanted.
    ///
    /// Topics that were not wanted before start afresh: their past is no loss.
    mutating func want(_ prefixes: PrefixSet) {
        wanted = prefixes
        for index in streams.indices where topics.isUsed(index) {
            let isWanted = prefixes.matches(topics.text(index))
            if isWanted, !streams[index].isWanted {
                streams[index] = Stream(isWanted: true, heardAt: streams[index].heardAt)
                others = others.filter { $0.key >> 32 != UInt64(index) }
            }
            streams[index].isWanted = isWanted
        }
    }

    // MARK: - Parts

    private mutating func compare(_ index: Int, _ producer: Int, _ epoch: UInt64, _ number: UInt64) {
        let generation = generation
        guard
            let expected = withStream(index, producer, { $0.claim(number, in: epoch, since: generation) })
        else { return }
        notices.append(
            .gap(
                BusGap(
                    topic: BusTopicIndex(rawValue: Int32(index)),
                    producer: BusProducerIndex(rawValue: Int32(producer)),
                    expected: expected, received: nil, cause: .heartbeat)))
        if withStream(index, producer, { $0.unansweredBeats >= Self.unansweredBeatsLimit }) {
            isSubscriptionInDoubt = true
        }
    }

    /// The first producer of a topic is kept with the topic, further ones beside it.
    private mutating func withStream<Value>(_ index: Int, _ producer: Int, _ body: (inout Stream) -> Value)
        -> Value
    {
        if streams[index].producer < 0 { streams[index].producer = Int32(producer) }
        if streams[index].producer == Int32(producer) { return body(&streams[index]) }
        let key = UInt64(index) << 32 | UInt64(producer)
        return body(&others[key, default: Stream(producer: Int32(producer), isWanted: true)])
    }

    private mutating func producer(_ name: UnsafeRawBufferPointer) -> Int? {
        if let index = producerTable.find(name) { return index }
        guard (1...127).contains(name.count), let text = String(validating: name, as: UTF8.self),
            let index = producerTable.intern(name)
        else { return nil }
        names.put(producer: text, at: index)
        let new = Producer(listenedAt: listened.nanoseconds)
        if index < producers.count { producers[index] = new } else { producers.append(new) }
        return index
    }

    /// Whether the message is of the producer's present life.
    ///
    /// A smaller epoch is taken for a past life as long as the greater one is heard, and for a clock that was
    /// set back once that one is silent.
    private mutating func admit(_ index: Int, _ epoch: UInt64, _ now: Int64) -> Bool {
        let producer = producers[index]
        let key = BusProducerIndex(rawValue: Int32(index))
        if producer.epoch != epoch {
            if epoch < producer.epoch, now - producer.heardAt <= Self.silence { return false }
            producers[index].epoch = epoch
            if producer.epoch != 0 {
                notices.append(.restarted(key, epoch: epoch))
            } else if hasForgotten {
                notices.append(.back(key))
            }
        } else if producer.isSilent {
            notices.append(.back(key))
        }
        producers[index].isSilent = false
        producers[index].heardAt = now
        producers[index].listenedAt = listened.nanoseconds
        return true
    }

    private static func parse(
        _ heartbeat: UnsafeRawBufferPointer
    ) -> (names: [UnsafeRawBufferPointer], numbers: [UInt64])? {
        var reader = ProtoReader(heartbeat)
        var names: [UnsafeRawBufferPointer] = []
        var numbers: [UInt64] = []
        while let field = reader.next() {
            switch (field.number, field.bytes) {
            case (1, let name?): names.append(name)
            case (2, let packed?):
                guard packed.count % 8 == 0 else { return nil }
                for offset in stride(from: 0, to: packed.count, by: 8) {
                    numbers.append(
                        UInt64(littleEndian: packed.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                }
            case (2, nil): numbers.append(field.value)
            default: break
            }
        }
        return reader.isMalformed || names.count != numbers.count ? nil : (names, numbers)
    }
}
