import AccountStore
import GatewayFrame
import Instruments
import Store
import Testing

@testable import GatewayAPI

@Suite("Turns of reports", .timeLimit(.minutes(10)))
struct ReportTurnsTests {
    private static let ann = ReportTurns.Asker.user(UserID(rawValue: UniqueID(high: 1, low: 1)))
    private static let ben = ReportTurns.Asker.user(UserID(rawValue: UniqueID(high: 1, low: 2)))

    /// Holds a turn until it is let go.
    private struct Held {
        let task: Task<Void, any Error>
        private let end: AsyncStream<Void>.Continuation

        /// One that has its turn when this returns.
        static func begun(_ turns: ReportTurns, _ asker: ReportTurns.Asker) async -> Held {
            let (begun, begin) = AsyncStream<Void>.makeStream()
            let held = Held(turns, asker) { begin.finish() }
            for await _ in begun {}
            return held
        }

        /// Asks for a turn, in which `begin` is run first.
        init(_ turns: ReportTurns, _ asker: ReportTurns.Asker, begin: @escaping @Sendable () -> Void) {
            let (ended, end) = AsyncStream<Void>.makeStream()
            self.end = end
            task = Task {
                try await turns.take(asker) {
                    begin()
                    for await _ in ended {}
                }
            }
        }

        func letGo() async throws {
            end.finish()
            try await task.value
        }
    }

    @Test("of one asker come one after another, and no other asker waits for them")
    func turns() async throws {
        let turns = ReportTurns(atOnce: 2)
        let (first, second) = (await Held.begun(turns, Self.ann), await Held.begun(turns, Self.ann))
        let (order, began) = AsyncStream<Int>.makeStream()
        var waiting: [Task<Void, any Error>] = []
        for number in 0..<3 {
            waiting.append(Task { try await turns.take(Self.ann) { _ = began.yield(number) } })
            while turns.waiting(of: Self.ann) <= number { await Task.yield() }
        }
        // Strangers and others have places of their own.
        let answers = [try await turns.take(Self.ben) { 7 }, try await turns.take(.strangers) { 8 }]
        #expect(answers == [7, 8] && turns.waiting(of: Self.ann) == 3)
        try await first.letGo()
        for task in waiting { try await task.value }
        began.finish()
        var came: [Int] = []
        for await number in order { came.append(number) }
        #expect(came == [0, 1, 2])
        try await second.letGo()
        #expect(try await turns.take(Self.ann) { 9 } == 9)
    }

    @Test("are refused where too many wait, and who gives up waits no more")
    func bounds() async throws {
        let turns = ReportTurns(atOnce: 1, waiting: 1)
        let held = await Held.begun(turns, Self.ann)
        let waiting = Task { try await turns.take(Self.ann) {} }
        while turns.waiting(of: Self.ann) < 1 { await Task.yield() }
        let refused = await #expect(throws: Problem.self) { try await turns.take(Self.ann) {} }
        #expect(refused?.code == .throttled && refused?.retryAfter == 5)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(turns.waiting(of: Self.ann) == 0)
        let next = Task { try await turns.take(Self.ann) { 3 } }
        while turns.waiting(of: Self.ann) < 1 { await Task.yield() }
        try await held.letGo()
        #expect(try await next.value == 3)
    }
}
