import Instruments
import MarketData
import Support
import Testing

@Suite("Book replica against its producer")
struct BookReplicaModelTests {
    @Test("is never wrong and live, whatever is lost, late, doubled or out of order")
    func chaos() {
        property(cases: 400) { rng in
            var simulation = ReplicaSimulation(
                bufferLimit: rng.pick([1, 3, 20, 4_096]), dropped: rng.pick([0, 2, 10, 40]),
                doubled: rng.pick([0, 10]), delayed: rng.pick([0, 10, 50]))
            for _ in 0..<150 {
                for message in simulation.producer.step(&rng) { simulation.publish(message, &rng) }
                try simulation.advance(&rng)
            }
            try simulation.settle(&rng)
        }
    }

    @Test("is live after the broker's answer, wherever live messages fall in between")
    func lateJoiner() {
        property { rng in
            var producer = BookProducer()
            var retained = RetainedBook()
            retained.keep(producer.fill(&rng))
            func publish(_ count: Int) -> [BookProducer.Message] {
                (0..<count).map { _ in
                    let message = rng.chance(10) ? producer.snapshot() : producer.change(&rng)
                    retained.keep(message)
                    return message
                }
            }
            var replica = BookReplica()
            if rng.chance(50) {
                // It has followed for a while and then missed some.
                for message in retained.messages + publish(rng.int(0...5)) { _ = replica.take(message) }
                _ = publish(rng.int(1...5))
            } else {
                _ = publish(rng.int(0...20))
            }
            let early = publish(rng.int(0...10))
            var answer = retained.messages[...]
            var live = (early + publish(rng.int(1...10)))[...]
            while !answer.isEmpty || !live.isEmpty {
                let isAnswer = live.isEmpty || (!answer.isEmpty && rng.chance(50))
                guard let message = isAnswer ? answer.popFirst() : live.popFirst() else { break }
                _ = replica.take(message)
            }
            try #require(replica.state == .live)
            try #require(replica.position == producer.position)
            try #require(sameLevels(replica.book, producer.book))
        }
    }

    @Test("loses nothing and asks for nothing when nothing is lost")
    func quiet() {
        property { rng in
            var producer = BookProducer()
            var replica = BookReplica()
            _ = replica.take(producer.fill(&rng))
            for _ in 0..<100 {
                for message in producer.step(&rng) {
                    let outcome = replica.take(message)
                    try #require(outcome != .needsSnapshot)
                }
                let state = producer.state
                // A new life that has not said anything is not known yet.
                guard producer.position.sequence > 0 else { continue }
                try #require(replica.state == state || replica.state == .stale)
                try #require(sameLevels(replica.book, producer.book))
            }
            try #require(replica.gaps == 0)
        }
    }

    @Test("never traps, whatever it is told")
    func arbitraryMessages() {
        property { rng in
            var replica = BookReplica(bufferLimit: rng.int(-1...5))
            for _ in 0..<100 {
                let near: UInt64 = rng.pick([0, 1, 2, 3, 5, .max - 1, .max])
                let position = StreamPosition(
                    producer: rng.pick(["a", "b"]), epoch: rng.pick([0, 1, .max]), sequence: near)
                arbitrary(&replica, position, &rng)
                try #require(
                    replica.state != .syncing || replica.book.bids.isEmpty && replica.book.asks.isEmpty)
                try #require(replica.waitingCount <= 5)
                _ = replica.top()
                _ = replica.snapshot()
            }
        }
    }

    private func arbitrary(
        _ replica: inout BookReplica, _ position: StreamPosition, _ rng: inout SeededGenerator
    ) {
        switch rng.int(0...5) {
        case 0...1:
            let changes = rng.levels().map {
                BookLevelChange(side: rng.pick(BookSide.allCases), price: $0.price, size: $0.size)
            }
            let delta = BookDelta(
                priceScale: rng.scale(), sizeScale: rng.scale(), changes: changes,
                venueTime: rng.optionalTimestamp(), receivedTime: rng.timestamp())
            _ = replica.apply(delta, at: position)
        case 2:
            let change = BookStateChange(
                state: rng.pick(BookState.allCases), reason: rng.pick(BookStateReason.allCases),
                receivedTime: rng.timestamp())
            _ = replica.apply(change, at: position)
        case 3...4:
            let snapshot = BookSnapshot(
                state: rng.pick(BookState.allCases), reason: .verified, priceScale: rng.scale(),
                sizeScale: rng.scale(), bids: rng.levels(), asks: rng.levels(), continues: position,
                venueTime: nil, receivedTime: rng.timestamp())
            _ = replica.apply(snapshot)
        default: _ = replica.lose(through: position, detail: "")
        }
    }
}

/// A producer, a broker, a bad road and a replica, in steps of time.
private struct ReplicaSimulation {
    private enum Event {
        case message(BookProducer.Message)
        case heartbeat(StreamPosition)
        case answer
    }

    var producer = BookProducer()
    private var retained = RetainedBook()
    private var replica: BookReplica
    private let bufferLimit: Int
    /// Of a hundred events.
    private let dropped: Int
    private let doubled: Int
    private let delayed: Int
    private var time = 0
    private var onTheWay: [(time: Int, event: Event)] = []
    private var isLowered = false
    /// The newest position that the replica was told of.
    private var newest: StreamPosition?
    private var latest: StreamPosition?

    init(bufferLimit: Int, dropped: Int, doubled: Int, delayed: Int) {
        self.bufferLimit = bufferLimit
        self.dropped = dropped
        self.doubled = doubled
        self.delayed = delayed
        replica = BookReplica(bufferLimit: bufferLimit)
    }

    mutating func publish(_ message: BookProducer.Message, _ rng: inout SeededGenerator) {
        retained.keep(message)
        send(.message(message), &rng)
        if rng.chance(10) { send(.heartbeat(producer.position), &rng) }
    }

    mutating func advance(_ rng: inout SeededGenerator) throws {
        time += 1
        if rng.chance(2) {
            isLowered.toggle()
            if isLowered {
                replica.lower(to: .stale, reason: .busSilent, detail: "")
            } else {
                replica.restore()
            }
        }
        if rng.chance(5) { replica.allowAsking() }
        let due = onTheWay.filter { $0.time <= time }
        onTheWay.removeAll { $0.time <= time }
        for (_, event) in due { try deliver(event, &rng) }
        rng.note("\(replica.state) \(replica.reason) \(replica.gaps) \(replica.top())")
    }

    /// After a new snapshot, with nothing else on the way, everything is right again.
    mutating func settle(_ rng: inout SeededGenerator) throws {
        onTheWay = []
        replica.restore()
        isLowered = false
        try deliver(.message(producer.freshSnapshot(&rng)), &rng)
        try #require(replica.state == .live, "\(replica.reason): \(replica.detail)")
        try #require(replica.position == producer.position)
        try deliver(.message(producer.change(&rng)), &rng)
        try #require(replica.state == .live)
    }

    private mutating func send(_ event: Event, _ rng: inout SeededGenerator) {
        if rng.chance(dropped) { return }
        let delay = rng.chance(delayed) ? rng.int(1...12) : 0
        onTheWay.append((time + delay, event))
        if rng.chance(doubled) { onTheWay.append((time + rng.int(0...12), event)) }
    }

    private mutating func deliver(_ event: Event, _ rng: inout SeededGenerator) throws {
        switch event {
        case .message(let message):
            note(message.position)
            if replica.take(message) == .needsSnapshot { onTheWay.append((time + rng.int(0...8), .answer)) }
        case .heartbeat(let position):
            note(position)
            _ = replica.lose(through: position, detail: "heartbeat")
        case .answer:
            for message in retained.messages { send(.message(message), &rng) }
        }
        try check()
    }

    private mutating func note(_ position: StreamPosition) {
        if newest.map({ isOlder($0, position) }) ?? true { newest = position }
    }

    private mutating func check() throws {
        let position = replica.position
        try #require(replica.waitingCount <= max(bufferLimit, 1))
        try #require(position.map { position in latest.map { !isOlder(position, $0) } ?? true } ?? true)
        latest = position
        let top = replica.top()
        try #require(top.bid == replica.book.bestBid && top.ask == replica.book.bestAsk)
        if replica.state == .syncing {
            try #require(replica.book.bids.isEmpty && replica.book.asks.isEmpty)
            return
        }
        let truth = try #require(position.flatMap { producer.truth[$0] })
        try #require(sameLevels(replica.book, truth.book), "at \(top.at.map { "\($0)" } ?? "")")
        try #require(position == newest, "something newer is known")
        guard replica.state == .live else { return }
        try #require(truth.state == .live)
        try #require(!isLowered)
    }

    private func isOlder(_ left: StreamPosition, _ right: StreamPosition) -> Bool {
        (left.epoch, left.producer, left.sequence) < (right.epoch, right.producer, right.sequence)
    }
}

/// Whether both have the same levels, whatever their scales.
private func sameLevels(_ left: Book, _ right: Book) -> Bool {
    func refined(_ book: Book) throws -> Book {
        var book = book
        try book.refine(price: Scale(6) ?? .zero, size: Scale(6) ?? .zero)
        return book
    }
    guard let left = try? refined(left), let right = try? refined(right) else { return false }
    return left == right
}

extension BookProducer.Message {
    fileprivate var position: StreamPosition {
        switch self {
        case .delta(_, let position), .state(_, let position): position
        case .snapshot(let snapshot): snapshot.continues ?? .feed(0)
        }
    }
}

extension BookReplica {
    fileprivate mutating func take(_ message: BookProducer.Message) -> ReplicaOutcome {
        switch message {
        case .delta(let delta, let position): apply(delta, at: position)
        case .state(let change, let position): apply(change, at: position)
        case .snapshot(let snapshot): apply(snapshot)
        }
    }
}
