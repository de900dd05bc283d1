import Support
import Testing

@testable import GatewayStream

@Suite("Stream core")
struct StreamCoreTests {
    @Test(
        "tells every client the whole truth in the end, whatever is read or resumed, and what it skipped"
    )
    func model() {
        property { generator in
            var simulation = StreamSimulation(&generator)
            for _ in 0..<generator.int(1...400) { try simulation.step(&generator) }
            try simulation.check()
        }
    }

    @Test("tells a newcomer the last thirty items, and one who comes back what it missed")
    func items() {
        var log = StreamLog(.items, epoch: 7)
        for number in 1...150 { log.append(Array("\(number)".utf8)) }
        guard case .snapshot(let place, let first)? = log.pieces(after: nil).first else {
            Issue.record("no snapshot")
            return
        }
        #expect(place == StreamCursor(epoch: 7, sequence: 150) && first.count == 30)
        #expect(first.first == Array("121".utf8))
        #expect(log.pieces(after: place).isEmpty)
        let pieces = log.pieces(after: StreamCursor(epoch: 7, sequence: 20))
        guard pieces.count == 2, case .skipped(30) = pieces[0], case .change(150, let rest) = pieces[1] else {
            Issue.record("\(pieces)")
            return
        }
        #expect(rest.count == 100)
        // Another life of the numbering, and a number that was never given: everything anew.
        for place in [StreamCursor(epoch: 6, sequence: 149), StreamCursor(epoch: 7, sequence: 151)] {
            guard case .snapshot? = log.pieces(after: place).first else {
                Issue.record("\(place) was resumed")
                return
            }
        }
    }

    @Test("sends changes while they weigh less than the whole thing, else that")
    func weight() {
        var log = StreamLog(.changes, epoch: 1)
        log.append(Array("a".utf8), whole: Array("0123456789".utf8))
        for _ in 0..<4 { log.append(Array("xyz".utf8)) }
        #expect(log.wantsWhole)
        #expect(log.pieces(after: StreamCursor(epoch: 1, sequence: 3)).count == 2)
        log.append(Array("b".utf8), whole: Array("9876543210".utf8))
        #expect(!log.wantsWhole)
        let pieces = log.pieces(after: StreamCursor(epoch: 1, sequence: 1))
        guard pieces.count == 2, case .skipped(5) = pieces[0], case .snapshot(let place, _) = pieces[1] else {
            Issue.record("\(pieces)")
            return
        }
        #expect(place.sequence == 6)
    }

    @Test("refuses a name in use and the subscription past the limit, and lets each name go once")
    func limits() {
        var core = StreamCore()
        let client = core.open()
        let topic = StreamTopic(.ticker, "v:S")
        let isFirst = core.subscribe(client, "0", to: topic, after: nil)
        #expect(isFirst)
        #expect(core.refusal(of: "0", for: client) == .nameInUse)
        for number in 1..<StreamSession.subscriptionLimit {
            let isFirst = core.subscribe(client, "\(number)", to: topic, after: nil)
            #expect(!isFirst)
        }
        #expect(core.refusal(of: "x", for: client) == .tooMany)
        #expect(core.unsubscribe(client, "y") == nil)
        #expect(core.unsubscribe(client, "0")?.isOrphan == false)
        #expect(core.close(client) == [topic] && core.topicCount == 0 && core.clientCount == 0)
    }
}

/// Things that change, clients that come and go on two event loops, and what each must believe.
private struct StreamSimulation {
    /// What a client believes of one thing.
    private struct Belief {
        let topic: StreamTopic
        var place: StreamCursor?
        var words: [String] = []
        var table: [String: String] = [:]
    }

    private struct Client {
        var loop: Int
        var id: StreamCore.ClientID
        var beliefs: [String: Belief] = [:]
    }

    private let topics = [
        StreamTopic(.ticker, "a"), StreamTopic(.book, "a"), StreamTopic(.trades, "a"),
        StreamTopic(.book, "b"),
    ]
    private var logs: [StreamTopic: StreamLog] = [:]
    private var tables: [StreamTopic: [String: String]] = [:]
    private var items: [StreamTopic: [String]] = [:]
    private var loops = [StreamCore(), StreamCore()]
    private var clients: [Client] = []
    private var epoch: UInt64 = 1
    private var count = 0

    init(_ generator: inout SeededGenerator) {
        for topic in topics { logs[topic] = StreamLog(topic.channel.conflation, epoch: epoch) }
        for _ in 0..<3 {
            let loop = generator.int(0...1)
            clients.append(Client(loop: loop, id: loops[loop].open()))
        }
    }

    mutating func step(_ generator: inout SeededGenerator) throws {
        let client = generator.int(0...clients.count - 1)
        switch generator.int(0...99) {
        case 0..<55: change(generator.pick(topics), &generator)
        case 55..<80: for _ in 0..<generator.int(1...4) { _ = try read(client) }
        case 80..<90: subscribe(client, generator.pick(topics), "\(generator.int(0...3))")
        case 90..<93: leave(client, "\(generator.int(0...3))")
        case 93..<99: reconnect(client, &generator)
        default: restart(generator.pick(topics))
        }
    }

    /// Reads everything that is left; every belief is the truth then.
    mutating func check() throws {
        for client in clients.indices {
            while try read(client) {}
            for (id, belief) in clients[client].beliefs {
                let log = try #require(logs[belief.topic])
                if belief.topic.channel.conflation != .items, log.sequence == 0 { continue }
                let place = StreamCursor(epoch: log.epoch, sequence: log.sequence)
                try #require(belief.place == place, "\(id) is at \(String(describing: belief.place))")
                switch belief.topic.channel.conflation {
                case .latest: try #require(belief.words.last == items[belief.topic]?.last)
                case .changes: try #require(belief.table == tables[belief.topic, default: [:]])
                case .items:
                    let told = belief.words.suffix(100)
                    try #require(items[belief.topic, default: []].suffix(told.count) == told)
                }
            }
        }
    }

    private mutating func change(_ topic: StreamTopic, _ generator: inout SeededGenerator) {
        count += 1
        var text = "\(count)"
        var whole: String?
        if topic.channel.conflation == .changes {
            let (key, value) = ("k\(generator.int(0...8))", generator.chance(25) ? "" : "\(count)")
            tables[topic, default: [:]][key] = value.isEmpty ? nil : value
            text = "\(key)=\(value)"
            if logs[topic]?.wantsWhole == true {
                whole = tables[topic, default: [:]].map { "\($0)=\($1)" }.joined(separator: ",")
            }
        } else {
            items[topic, default: []].append(text)
        }
        let bytes = whole.map { Array($0.utf8) }
        guard let sequence = logs[topic]?.append(Array(text.utf8), whole: bytes), let log = logs[topic] else {
            return
        }
        let update = StreamUpdate(
            topic: topic, place: StreamCursor(epoch: log.epoch, sequence: sequence), change: Array(text.utf8),
            whole: bytes)
        for loop in loops.indices { _ = loops[loop].apply(update) }
    }

    private mutating func subscribe(
        _ client: Int, _ topic: StreamTopic, _ id: String, resuming belief: Belief? = nil
    ) {
        let (loop, number) = (clients[client].loop, clients[client].id)
        guard loops[loop].refusal(of: id, for: number) == nil else { return }
        if loops[loop].subscribe(number, id, to: topic, after: belief?.place), let log = logs[topic] {
            _ = loops[loop].adopt(log, of: topic)
        }
        clients[client].beliefs[id] = belief ?? Belief(topic: topic)
    }

    private mutating func leave(_ client: Int, _ id: String) {
        _ = loops[clients[client].loop].unsubscribe(clients[client].id, id)
        clients[client].beliefs[id] = nil
    }

    /// The connection breaks; the client comes back elsewhere and goes on, or begins anew, where it was.
    private mutating func reconnect(_ client: Int, _ generator: inout SeededGenerator) {
        _ = loops[clients[client].loop].close(clients[client].id)
        let loop = generator.int(0...1)
        let beliefs = clients[client].beliefs
        clients[client] = Client(loop: loop, id: loops[loop].open())
        for (id, belief) in beliefs.sorted(by: { $0.key < $1.key }) {
            subscribe(client, belief.topic, id, resuming: generator.chance(70) ? belief : nil)
        }
    }

    /// A thing that nobody wants is forgotten, and begins another life.
    private mutating func restart(_ topic: StreamTopic) {
        guard !clients.contains(where: { $0.beliefs.values.contains { $0.topic == topic } }) else { return }
        epoch += 1
        logs[topic] = StreamLog(topic.channel.conflation, epoch: epoch)
        (items[topic], tables[topic]) = ([], [:])
    }

    private mutating func read(_ client: Int) throws -> Bool {
        guard let news = loops[clients[client].loop].next(clients[client].id) else { return false }
        let id = news.id
        var belief = try #require(clients[client].beliefs[id], "told of \(id), which is not subscribed")
        for piece in news.pieces { try believe(piece, &belief) }
        clients[client].beliefs[id] = belief
        return true
    }

    private func believe(_ piece: StreamLog.Piece, _ belief: inout Belief) throws {
        let conflation = belief.topic.channel.conflation
        switch piece {
        case .skipped(let count):
            try #require(count > 0)
            belief.place?.sequence += count
        case .snapshot(let place, let bytes):
            // What lies between is said to be skipped, unless the client began anew.
            if let known = belief.place, known.epoch == place.epoch {
                try #require(known.sequence == place.sequence, "skipped without a word")
            }
            belief.place = place
            let words = bytes.map { String(decoding: $0, as: UTF8.self) }
            belief.words = words
            if conflation == .changes { belief.table = StreamSimulation.table(words[0]) }
        case .change(let sequence, let bytes):
            let known = try #require(belief.place).sequence
            let told = conflation == .items ? UInt64(bytes.count) : 1
            try #require(sequence == known + told, "\(sequence) follows \(known), told \(told)")
            belief.place?.sequence = sequence
            let words = bytes.map { String(decoding: $0, as: UTF8.self) }
            belief.words += words
            if conflation == .changes {
                for (key, value) in StreamSimulation.table(words[0]) {
                    belief.table[key] = value.isEmpty ? nil : value
                }
            }
        }
    }

    private static func table(_ text: String) -> [String: String] {
        let pairs = text.split(separator: ",").map {
            $0.split(separator: "=", omittingEmptySubsequences: false)
        }
        return Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
    }
}
