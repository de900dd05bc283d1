import Instruments
import MarketData
import Support
import Testing

@testable import BookBuilding

@Suite("Book set against the feeds that it follows")
struct BookSetModelTests {
    @Test("never shows a wrong book as live, whatever is dropped, doubled or swapped")
    func chaos() {
        property { rng in
            var lossyBus = LossyBus(
                rng.pick([1, 2, 5]), loss: rng.pick([0, 3, 20]), disorder: rng.pick([0, 10, 30]))
            for _ in 0..<rng.int(20...120) { try lossyBus.step(&rng) }
            try lossyBus.settle(&rng)
        }
    }

    @Test("other instruments are not disturbed by the losses of one")
    func isolation() {
        property { rng in
            var lossyBus = LossyBus(3, loss: 0, disorder: 0)
            lossyBus.victim = 1
            for _ in 0..<60 {
                try lossyBus.step(&rng)
                for feed in lossyBus.feeds where feed.number != 1 && feed.position.sequence > 0 {
                    try #require(lossyBus.isTold(feed.number) == feed.position)
                }
            }
        }
    }
}

/// A random feed of one instrument that remembers what was true after each message.
private struct RandomFeed {
    enum Message: Hashable {
        case delta(BookDelta, StreamPosition)
        case change(BookStateChange, StreamPosition)
        case snapshot(BookSnapshot)
    }

    let number: Int
    let id: InstrumentID
    private(set) var position = StreamPosition(producer: "feed", epoch: 5, sequence: 0)
    private(set) var truth: [StreamPosition: (levels: String, state: BookState)] = [:]
    private(set) var retained: [Message] = []
    private var book = Book(priceScale: .zero, sizeScale: .zero)
    private(set) var state = BookState.syncing

    init(_ number: Int) {
        self.number = number
        id = InstrumentID(venue: .bitmex, symbol: "I\(number)")
    }

    /// The next messages, in order.
    mutating func step(_ rng: inout SeededGenerator) -> [Message] {
        if state == .syncing { return image(&rng) }
        switch rng.int(1...20) {
        case 1: return [declare(.syncing, .sequenceGap)]
        case 2: return [declare(.stale, .disconnected)]
        case 3: return [declare(.live, .verified)]
        case 4: return [keep(.snapshot(snapshot))]
        case 5: return [declare(.syncing, .snapshotReplaced)] + image(&rng)
        default: return [delta(&rng)]
        }
    }

    /// A whole book; the old one is emptied first, if that has not been said.
    mutating func image(_ rng: inout SeededGenerator) -> [Message] {
        let isEmptied = state == .syncing && position.sequence > 0
        let emptying = isEmptied ? [] : [declare(.syncing, .snapshotReplaced)]
        book.clear()
        for _ in 0..<rng.int(1...6) {
            let side = rng.pick(BookSide.allCases)
            book.set(side, Price(Int64(rng.int(1...20))), Quantity(Int64(rng.int(1...9))))
        }
        state = .live
        note()
        return emptying + [keep(.snapshot(snapshot))]
    }

    private mutating func delta(_ rng: inout SeededGenerator) -> Message {
        let changes = (0..<rng.int(1...3)).map { _ in
            BookLevelChange(
                side: rng.pick(BookSide.allCases), price: Price(Int64(rng.int(1...20))),
                size: Quantity(Int64(rng.int(0...5))))
        }
        for change in changes { book.apply(change) }
        position.sequence += 1
        note()
        let delta = BookDelta(
            priceScale: .zero, sizeScale: .zero, changes: changes, venueTime: nil, receivedTime: .zero)
        return keep(.delta(delta, position))
    }

    private mutating func declare(_ state: BookState, _ reason: BookStateReason) -> Message {
        self.state = state
        if state == .syncing { book.clear() }
        position.sequence += 1
        note()
        return keep(.change(BookStateChange(state: state, reason: reason, receivedTime: .zero), position))
    }

    private mutating func note() { truth[position] = ("\(BookText(book))", state) }

    /// What the broker keeps: the last snapshot and what follows it.
    private mutating func keep(_ message: Message) -> Message {
        if case .snapshot = message { retained = [] }
        retained.append(message)
        return message
    }

    private var snapshot: BookSnapshot {
        let (bids, asks) = book.top(.max)
        return BookSnapshot(
            state: state, reason: .verified, priceScale: .zero, sizeScale: .zero, bids: bids, asks: asks,
            continues: position, venueTime: nil, receivedTime: .zero)
    }
}

/// Feeds, a road that loses and mixes up, a broker that is asked, and a book set at the end.
private struct LossyBus {
    private(set) var feeds: [RandomFeed]
    /// The only feed whose messages are lost; `nil` for all.
    var victim: Int?
    private var set = BookSet(limit: 100, snapshotInterval: 1_000_000_000)
    private var indices: [BookIndex] = []
    private var now = Timestamp(nanoseconds: 1_000_000_000_000)
    private let loss: Int
    private let disorder: Int
    private var onTheWay: [(feed: Int, message: RandomFeed.Message, isRetained: Bool)] = []
    /// The newest position that arrived, by feed.
    private var newest: [UInt64]
    /// What was told last, by feed.
    private var told: [(state: BookState, position: StreamPosition?)]

    init(_ count: Int, loss: Int, disorder: Int) {
        feeds = (0..<count).map(RandomFeed.init)
        self.loss = loss
        self.disorder = disorder
        newest = [UInt64](repeating: 0, count: count)
        told = [(BookState, StreamPosition?)](repeating: (.syncing, nil), count: count)
        for feed in feeds { indices.append(set.index(of: feed.id, at: now) ?? BookIndex(rawValue: -1)) }
        set.answer(isPending: false)
        set.heard("feed", epoch: 5, at: now)
    }

    mutating func step(_ rng: inout SeededGenerator) throws {
        let number = rng.int(0...feeds.count - 1)
        let isVictim = victim.map { $0 == number } ?? true
        for message in feeds[number].step(&rng) {
            if isVictim, rng.chance(victim == nil ? loss : 30) { continue }
            onTheWay.append((number, message, false))
            if rng.chance(disorder) { onTheWay.append((number, message, false)) }
            let last = onTheWay.count - 1
            if last > 0, rng.chance(disorder) { onTheWay.swapAt(last, last - 1) }
        }
        if rng.chance(10) { now = now.adding(nanoseconds: Int64(rng.int(0...2_000_000_000))) }
        // What is on the way arrives now or, now and then, later.
        if !rng.chance(disorder) { try deliver(&rng) }
        if rng.chance(10), feeds[number].position.sequence > 0, onTheWay.isEmpty {
            newest[number] = feeds[number].position.sequence
            set.told(indices[number], last: feeds[number].position, at: now)
            try check(&rng)
        }
        if rng.chance(20) {
            set.tick(at: now)
            try check(&rng)
        }
    }

    /// Heartbeats tell what was lost at the end, and the broker's answers arrive: all is right again.
    mutating func settle(_ rng: inout SeededGenerator) throws {
        for feed in feeds { onTheWay += feeds[feed.number].image(&rng).map { (feed.number, $0, false) } }
        for _ in 0..<3 {
            try deliver(&rng)
            for feed in feeds {
                if newest[feed.number] < feed.position.sequence {
                    set.lost(indices[feed.number], expected: feed.position.sequence, at: now)
                }
            }
            try check(&rng)
        }
        now = now.adding(nanoseconds: 30_000_000_000)
        set.tick(at: now)
        try check(&rng)
        try deliver(&rng)
        for feed in feeds {
            try #require(told[feed.number].state == feed.state, "\(feed.id)")
            try #require(told[feed.number].position == feed.position)
        }
    }

    /// The position that was told of a feed's book; `nil` when it is told as syncing.
    func isTold(_ number: Int) -> StreamPosition? {
        set[indices[number]].replica.position
    }

    private mutating func deliver(_ rng: inout SeededGenerator) throws {
        while !onTheWay.isEmpty {
            let (number, message, isRetained) = onTheWay.removeFirst()
            let index = indices[number]
            switch message {
            case .delta(let delta, let position):
                newest[number] = max(newest[number], position.sequence)
                set.receive(.delta(delta, position), of: index, at: now)
            case .change(let change, let position):
                newest[number] = max(newest[number], position.sequence)
                set.receive(.change(change, position), of: index, at: now)
            case .snapshot(let snapshot):
                newest[number] = max(newest[number], snapshot.continues?.sequence ?? 0)
                set.receive(
                    .snapshot(snapshot, SnapshotOrigin(isOwn: false, isRetained: isRetained)), of: index,
                    at: now)
            }
            try check(&rng)
        }
    }

    private mutating func check(_ rng: inout SeededGenerator) throws {
        for output in set.outputs {
            rng.note("\(output)")
            switch output {
            case .top(let index, let top): try check(index, top)
            case .snapshot(let index, let snapshot), .archive(let index, let snapshot):
                guard snapshot.state == .live else { continue }
                let feed = feeds[index.rawValue]
                let truth = try #require(snapshot.continues.flatMap { feed.truth[$0] })
                try #require(snapshot.levels == truth.levels)
                try #require(truth.state == .live)
            case .request(let index):
                // The answer comes in its turn, behind what is on the way.
                let number = index.rawValue
                onTheWay += feeds[number].retained.map { (number, $0, true) }
            }
        }
        set.outputs = []
    }

    private mutating func check(_ index: BookIndex, _ top: BookTop) throws {
        let number = index.rawValue
        told[number] = (top.state, top.at)
        guard top.state == .live else { return }
        let truth = try #require(top.at.flatMap { feeds[number].truth[$0] })
        try #require(truth.state == .live)
        let book = try BookText(truth.levels)
        try #require(top.bid == book.bids.first && top.ask == book.asks.first)
        try #require(top.at?.sequence == newest[number], "something newer had arrived")
    }
}

extension BookSnapshot {
    fileprivate var levels: String {
        var book = Book(priceScale: priceScale, sizeScale: sizeScale)
        book.replace(bids: bids, asks: asks)
        return "\(BookText(book))"
    }
}
