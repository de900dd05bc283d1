import Instruments
import Operations
import Support
import Testing

@testable import VenueSimulation

@Suite("Faults of the simulator")
struct FaultTests {
    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }

    private func faulty(_ kind: FaultKind, rate: Int = Fault.whole, seed: UInt64 = 7) -> FaultyLink {
        FaultyLink(FaultDice([Fault(kind, rate: rate)], seed: seed))
    }

    private func texts(_ departures: [FaultyLink.Departure]) -> [String] {
        departures.map { departure in
            switch departure {
            case .message(let bytes): String(decoding: bytes, as: UTF8.self)
            case .part(let bytes, let isFirst, let isLast):
                "\(isFirst ? "<" : "")\(String(decoding: bytes, as: UTF8.self))\(isLast ? ">" : "")"
            case .end: "end"
            }
        }
    }

    private func take(_ texts: [String], _ link: inout FaultyLink, at time: Int64 = 0) {
        for text in texts { link.take(Array(text.utf8), isImage: false, at: at(time)) }
    }

    @Test(
        "are read as a kind with a rate or its usual one",
        arguments: [
            ("drop", FaultKind.drop, 1_000), ("429:0.5", FaultKind.tooManyRequests, 500_000),
            ("half-open:1", FaultKind.halfOpen, 1_000_000), ("stall:0.000001", FaultKind.stall, 1),
            ("late-snapshot:1.0", FaultKind.lateSnapshot, 1_000_000),
        ])
    func reading(text: String, kind: FaultKind, rate: Int) throws {
        let fault = try #require(Fault(text))
        #expect(fault == Fault(kind, rate: rate))
        #expect(Fault(fault.description) == fault)
    }

    @Test(
        "are refused with what is accepted",
        arguments: [
            "", "dropp", "drop:", "drop:0", "drop:2", "drop:1.000001", "drop:0.0000001", "drop:-1", ":1",
        ])
    func refusal(text: String) throws {
        #expect(Fault(text) == nil)
        let settings = try Settings.load(
            service: "venue-simulator", keys: VenueSimulatorConfiguration.keys,
            overrides: ["faults": "stall,\(text.isEmpty ? "x" : text)"])
        let error = #expect(throws: ConfigurationError.self) {
            try VenueSimulatorConfiguration(settings: settings)
        }
        let words = "\(try #require(error))"
        #expect(FaultKind.allCases.allSatisfy { words.contains($0.rawValue) })
        #expect(words.contains("option faults"))
    }

    @Test("are a list of the configuration")
    func configuration() throws {
        let settings = try Settings.load(
            service: "venue-simulator", keys: VenueSimulatorConfiguration.keys,
            environment: ["BITPAL_VENUE_SIMULATOR_FAULTS": "drop:0.25, 503"])
        let configuration = try VenueSimulatorConfiguration(settings: settings)
        #expect(configuration.faults == [Fault(.drop, rate: 250_000), Fault(.overloaded)])
    }

    @Test("lose, double and hold messages, which are counted")
    func order() {
        var dropping = faulty(.drop)
        take(["a", "b"], &dropping)
        #expect(texts(dropping.leave(at: at(0))) == [])
        #expect(dropping.dice.counts == [.drop: 2])
        var doubling = faulty(.duplicate)
        take(["a", "b"], &doubling)
        #expect(texts(doubling.leave(at: at(0))) == ["a", "a", "b", "b"])
        var holding = faulty(.reorder)
        take(["a"], &holding)
        #expect(texts(holding.leave(at: at(1_999))) == [])
        #expect(holding.nextDeparture == at(2_000))
        #expect(texts(holding.leave(at: at(2_000))) == ["a"])
    }

    @Test("let a message be overtaken by one to three")
    func overtaken() {
        property { random in
            var held = faulty(.reorder, seed: random.next())
            take(["late"], &held)
            held.rest()
            take(["1", "2", "3", "4"], &held)
            let place = texts(held.leave(at: at(0))).firstIndex(of: "late")
            try #require(place.map { (1...3).contains($0) } ?? false)
        }
    }

    @Test("make whole books late, and nothing else")
    func late() {
        var link = faulty(.lateSnapshot)
        link.take(Array("book".utf8), isImage: true, at: at(0))
        take(["change"], &link)
        let departures = link.leave(at: at(0)) + link.leave(at: at(4_000))
        #expect(texts(departures) == ["change", "book"])
    }

    @Test("stop all that follows for two to eight seconds")
    func stall() {
        var link = faulty(.stall)
        take(["a"], &link)
        link.rest()
        take(["b"], &link, at: 1_000)
        #expect(texts(link.leave(at: at(1_999))) == [])
        #expect(texts(link.leave(at: at(8_000))) == ["a", "b"])
    }

    @Test("send a message in parts, and nothing between them")
    func drip() {
        var link = faulty(.slowDrip)
        take(["0123456789abcdef"], &link)
        link.rest()
        take(["next"], &link)
        #expect(texts(link.leave(at: at(0))) == ["<01"])
        #expect(
            texts(link.leave(at: at(8 * 400))) == ["23", "45", "67", "89", "ab", "cd", "ef>", "next"])
        #expect(link.nextDeparture == nil)
    }

    @Test("end a connection, or leave it open and dead")
    func connection() {
        var ending = faulty(.disconnect)
        take(["a", "b"], &ending)
        #expect(texts(ending.leave(at: at(0))) == ["end"])
        var dead = faulty(.halfOpen)
        take(["a", "b"], &dead)
        #expect(dead.isHalfOpen && dead.nextDeparture == nil)
        #expect(texts(dead.leave(at: at(100_000))) == [])
    }

    @Test("end a connection on which too much waits")
    func limit() {
        var link = faulty(.stall)
        let large = [UInt8](repeating: 0x20, count: 1 << 20)
        for _ in 0...FaultyLink.limit >> 20 { link.take(large, isImage: false, at: at(0)) }
        #expect(texts(link.leave(at: at(100_000))).last == "end")
    }

    @Test("change one bit, or cut a message off")
    func damage() {
        property { random in
            var dice = FaultDice([], seed: random.next())
            let message = random.bytes(1...40)
            let corrupted = MessageDamage.corrupted(message, &dice)
            let bits = zip(message, corrupted).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
            try #require(bits == 1 && corrupted.count == message.count)
            let truncated = MessageDamage.truncated(message, &dice)
            try #require(truncated.count < message.count && message.starts(with: truncated))
        }
    }

    @Test(
        "put bids in the place of asks",
        arguments: [
            (#"{"bids":[["1","2"]],"asks":[]}"#, #"{"asks":[["1","2"]],"bids":[]}"#),
            (#"{"b":[1],"s":"b","side":"Buy"}"#, #"{"a":[1],"s":"a","side":"Sell"}"#),
        ])
    func crossed(message: String, expected: String) throws {
        let crossed = try #require(MessageDamage.crossed(Array(message.utf8)))
        #expect(String(decoding: crossed, as: UTF8.self) == expected)
        #expect(MessageDamage.crossed(Array(#"{"pong":1}"#.utf8)) == nil)
    }

    @Test("move the venue's times, and no other numbers")
    func skew() throws {
        let message = #"{"t":1600000000123,"s":"1600000000","n":16000000001,"p":0.1600000000}"#
        let moved = try #require(MessageDamage.skewed(Array(message.utf8), seconds: -60))
        #expect(
            String(decoding: moved, as: UTF8.self)
                == #"{"t":1599999940123,"s":"1599999940","n":16000000001,"p":0.1600000000}"#)
        #expect(MessageDamage.skewed(Array("1234567890".utf8), seconds: 1) == nil)
    }

    @Test("refuse requests with the time to wait, and make books late")
    func answers() throws {
        var busy = AnswerFaults(FaultDice([Fault(.tooManyRequests, rate: Fault.whole)], seed: 1))
        let answer = busy.refusal()
        let refusal = try #require(answer)
        #expect(refusal.status == 429 && (1...5).contains(refusal.retryAfter ?? 0))
        var overloaded = AnswerFaults(FaultDice([Fault(.overloaded, rate: Fault.whole)], seed: 1))
        #expect(overloaded.refusal()?.status == 503)
        var late = AnswerFaults(FaultDice([Fault(.lateSnapshot, rate: Fault.whole)], seed: 1))
        #expect(late.refusal() == nil)
        #expect(late.delay(isImage: false) == 0)
        #expect(late.delay(isImage: true) > 0)
        #expect(late.dice.counts == [.lateSnapshot: 1])
    }

    @Test("are the same for the same seed, and strike about as often as they should")
    func seeds() {
        let faults = FaultKind.allCases.filter { $0 != .halfOpen && $0 != .disconnect }
            .map { Fault($0, rate: 10_000) }
        func run(_ seed: UInt64) -> (departures: [String], counts: [FaultKind: Int]) {
            var link = FaultyLink(FaultDice(faults, seed: seed))
            var departures: [String] = []
            for number in 0..<20_000 {
                link.take(Array("{\"b\":\(number)}".utf8), isImage: false, at: at(Int64(number)))
                departures += texts(link.leave(at: at(Int64(number))))
            }
            return (departures, link.dice.counts)
        }
        let (first, second) = (run(1), run(1))
        #expect(first.departures == second.departures && first.counts == second.counts)
        #expect(run(2).departures != first.departures)
        // Binomial with p = 0.01: six standard deviations are 85.
        #expect(abs((first.counts[.drop] ?? 0) - 200) < 85)
        #expect(abs((first.counts[.stall] ?? 0) - 200) < 85)
    }
}
