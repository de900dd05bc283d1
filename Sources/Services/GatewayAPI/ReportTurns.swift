import AccountStore
import GatewayFrame
import PortfolioStore
import Synchronization

/// Whose turn it is to have a report, a ledger or an export of a portfolio read.
///
/// Each holds one of the connections for what may take long, and reckons for as long as its ledger is large.
/// Somebody's own wait for each other, so that however many are asked for at once, most places stay free
/// for others: a page asks for some together and gets them all, a program in a loop keeps nobody out.
final class ReportTurns: Sendable {
    /// For whom something is read.
    enum Asker: Hashable, Sendable {
        case user(UserID)
        /// Whoever opens a link without an account: nobody in particular, so that they share their turns.
        case strangers
        /// Whoever opens the links of one portfolio, one after the other: what one is shown does for all.
        case link(PortfolioID)
    }

    private struct Line {
        var running = 0
        /// The first one is next.
        var waiting: [(number: UInt64, turn: CheckedContinuation<Void, any Error>)] = []
    }

    private struct Lines {
        var byAsker: [Asker: Line] = [:]
        var next: UInt64 = 0
    }

    /// At most so many of one asker run at once.
    let atOnce: Int
    /// At most so many of one asker wait for their turn.
    let waiting: Int
    private let lines = Mutex(Lines())

    init(atOnce: Int, waiting: Int = 32) { (self.atOnce, self.waiting) = (atOnce, waiting) }

    /// Runs a piece of work when it is its asker's turn; none within another one's of the same asker.
    ///
    /// - Throws: `throttled` where too many wait; `CancellationError`; what `work` throws.
    func take<Value>(_ asker: Asker, _ work: () async throws -> Value) async throws -> Value {
        try await enter(asker)
        defer { leave(asker) }
        return try await work()
    }

    /// How many of an asker wait now.
    func waiting(of asker: Asker) -> Int { lines.withLock { $0.byAsker[asker]?.waiting.count ?? 0 } }

    private func places(of asker: Asker) -> Int {
        switch asker {
        case .user: atOnce
        // Who looks at links of their own has these places besides their own.
        case .strangers: max(atOnce - 1, 1)
        case .link: 1
        }
    }

    private func enter(_ asker: Asker) async throws {
        let number: UInt64? = try lines.withLock { lines throws(Problem) in
            let line = lines.byAsker[asker] ?? Line()
            guard line.running >= places(of: asker) else {
                lines.byAsker[asker, default: Line()].running += 1
                return nil
            }
            guard line.waiting.count < waiting else { throw refusal(of: asker) }
            lines.next += 1
            return lines.next
        }
        guard let number else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { turn in wait(asker, number, turn) }
        } onCancel: {
            giveUp(asker, number)
        }
    }

    /// Waits, unless a place came free meanwhile.
    private func wait(_ asker: Asker, _ number: UInt64, _ turn: CheckedContinuation<Void, any Error>) {
        let isNow = lines.withLock { lines in
            if Task.isCancelled || lines.byAsker[asker, default: Line()].running < places(of: asker) {
                lines.byAsker[asker, default: Line()].running += 1
                return true
            }
            lines.byAsker[asker, default: Line()].waiting.append((number, turn))
            return false
        }
        // Who is cancelled finds out by the first thing that it waits for.
        if isNow { turn.resume() }
    }

    private func giveUp(_ asker: Asker, _ number: UInt64) {
        let turn = lines.withLock { lines -> CheckedContinuation<Void, any Error>? in
            guard let place = lines.byAsker[asker]?.waiting.firstIndex(where: { $0.number == number }) else {
                return nil
            }
            return lines.byAsker[asker]?.waiting.remove(at: place).turn
        }
        turn?.resume(throwing: CancellationError())
    }

    private func leave(_ asker: Asker) {
        let next = lines.withLock { lines -> CheckedContinuation<Void, any Error>? in
            guard var line = lines.byAsker[asker] else { return nil }
            // The place goes to who waits longest.
            let isFree = line.running <= places(of: asker) && !line.waiting.isEmpty
            let next = isFree ? line.waiting.removeFirst().turn : nil
            if next == nil { line.running -= 1 }
            lines.byAsker[asker] = line.running == 0 ? nil : line
            return next
        }
        next?.resume()
    }

    private func refusal(of asker: Asker) -> Problem {
        let whose = if case .user = asker { "your own reports are not done" } else { "others look at links" }
        var problem = Problem(
            .throttled, "\(whose) (\(places(of: asker)) at once, \(waiting) waiting); try again in a moment")
        problem.retryAfter = 5
        return problem
    }
}
