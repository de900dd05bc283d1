import Testing

@testable import Bus

@Suite("Questions about state")
struct StateExchangeTests {
    @Test("are asked one at a time, each prefix once")
    func oneAtATime() throws {
        var exchange = StateExchange()
        #expect(exchange.ask(["a.", "b.", "a."]) == true)
        let first = try #require(exchange.next(now: 0) as StateExchange.Question?)
        #expect(first.prefixes == ["a.", "b."])
        #expect(exchange.ask(["c."]) == true)
        #expect(exchange.next(now: 1) == nil)
        #expect(exchange.receive(id: first.id, messages: 3, incomplete: ["x."], now: 2) == true)
        let done = try #require(exchange.finish(now: 3, jitter: 0) as StateExchange.Question?)
        #expect(done.messages == 3 && done.incomplete == ["x."])
        #expect(exchange.next(now: 3)?.prefixes == ["c."])
    }

    @Test("name at most 1,024 prefixes each")
    func split() throws {
        var exchange = StateExchange()
        #expect(exchange.ask((0..<1_500).map { "t\($0)." }) == true)
        #expect(exchange.next(now: 0)?.prefixes.count == 1_024)
        _ = exchange.finish(now: 0, jitter: 0)
        #expect(exchange.next(now: 0)?.prefixes.count == 476)
    }

    @Test("are asked again when no answer comes, later each time and at most five seconds apart")
    func retried() throws {
        var exchange = StateExchange()
        #expect(exchange.ask(["a."]) == true)
        var (now, delays) = (Int64(0), [Int64]())
        for _ in 0..<12 {
            let question = try #require(exchange.next(now: now) as StateExchange.Question?)
            #expect(exchange.expire(now: question.deadline - 1, jitter: 1) == false)
            now = question.deadline
            #expect(exchange.expire(now: now, jitter: 1) == true)
            let due = try #require(exchange.deadline)
            delays.append(due - now)
            #expect(exchange.next(now: due - 1) == nil)
            now = due
        }
        #expect(delays == delays.sorted())
        #expect(delays.first == StateExchange.shortestDelay)
        #expect(delays.last == StateExchange.longestDelay)
    }

    @Test("ignore answers to questions that were given up on")
    func lateAnswer() throws {
        var exchange = StateExchange()
        #expect(exchange.ask(["a."]) == true)
        let first = try #require(exchange.next(now: 0) as StateExchange.Question?)
        exchange.abandon(now: 0, jitter: 0)
        let second = try #require(exchange.next(now: 0) as StateExchange.Question?)
        #expect(exchange.receive(id: first.id, messages: 1, incomplete: [], now: 0) == false)
        #expect(exchange.receive(id: second.id, messages: 1, incomplete: [], now: 0) == true)
    }

    @Test("are asked again when part of the answer had to be dropped")
    func spoilt() throws {
        var exchange = StateExchange()
        #expect(exchange.ask(["a."]) == true)
        _ = try #require(exchange.next(now: 0) as StateExchange.Question?)
        exchange.spoil()
        #expect(exchange.finish(now: 0, jitter: 0) == nil)
        #expect(exchange.next(now: 0)?.prefixes == ["a."])
    }
}
