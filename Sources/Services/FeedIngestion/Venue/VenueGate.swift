import Instruments
import Synchronization
import Venues
import Web

/// The one way out to a venue for all that speak to it in this process: its feeds, on however many
/// connections, and its tickers.
///
/// Venues count by address, so that what one part asks for is taken from all. Who waits does so in order,
/// what is urgent before what is not; the decisions are those of ``RequestPace``.
final class VenueGate: Sendable {
    /// Words of what it is waited for.
    enum Turn: Sendable { case urgent, patient, connection }

    private let requests: Mutex<RequestPace>
    /// What audits may take of ``requests``: a quarter, so that missed trades have theirs.
    private let audits: Mutex<RequestPace>
    private let connections: Mutex<RequestPace>
    /// `nil` where the venue counts the messages of each connection, or none.
    private let messages: Mutex<RequestPace?>
    /// Of those that wait for one kind of turn only the first looks at the time.
    private let urgent = RequestGate(concurrent: 1, waiting: .max)
    private let patient = RequestGate(concurrent: 1, waiting: .max)
    private let opening = RequestGate(concurrent: 1, waiting: .max)
    /// Whether connections of one part are being replaced: one at a time, so that there are few at once.
    private let rotation = Mutex(false)
    /// Until when the venue wants to be left alone, and how it said so.
    private let ban = Mutex<(until: Timestamp, reason: String)?>(nil)
    private let weigh: @Sendable (_ url: String) -> Int
    private let clock: @Sendable () -> Timestamp

    init(_ description: VenueDescription, clock: @escaping @Sendable () -> Timestamp) {
        requests = Mutex(RequestPace(description.requests))
        audits = Mutex(RequestPace(description.requests, dividedBy: 4))
        connections = Mutex(RequestPace(description.connections.opening))
        weigh = description.weight
        messages = Mutex(
            description.connections.messages.flatMap { $0.isOfAddress ? RequestPace($0.rate) : nil })
        self.clock = clock
    }

    /// Takes the right to send a message on any of the connections, where the venue counts those of all.
    func takeMessage() -> Bool {
        let now = clock()
        return messages.withLock { $0?.take(isUrgent: true, at: now) ?? 0 == 0 }
    }

    /// Takes the right to begin an audit, out of what audits may take of the venue's limit.
    ///
    /// - Parameter url: What is asked for, by which the venue may weigh it.
    /// - Returns: Whether it was taken.
    func takeAudit(_ url: String) -> Bool {
        let now = clock()
        return audits.withLock { $0.take(weigh(url), isUrgent: true, at: now) == 0 }
    }

    /// Waits until the venue may be asked, or connected to; returns as well when the task is cancelled.
    ///
    /// - Parameters:
    ///   - turn: For what.
    ///   - url: What is asked for, by which the venue may weigh it.
    func wait(for turn: Turn, url: String = "") async {
        let weight = turn == .connection ? 1 : weigh(url)
        let lane = lane(of: turn)
        guard (try? await lane.enter()) != nil else { return }
        defer { lane.leave() }
        while !Task.isCancelled {
            let wait = take(turn, weight)
            if wait == 0 { return }
            // A pause may become longer meanwhile, and a clock may be set.
            try? await Task.sleep(for: .nanoseconds(min(wait, 1_000_000_000)))
        }
    }

    private func lane(of turn: Turn) -> RequestGate {
        switch turn {
        case .urgent: urgent
        case .patient: patient
        case .connection: opening
        }
    }

    private func take(_ turn: Turn, _ weight: Int) -> Int64 {
        let now = clock()
        switch turn {
        case .urgent: return requests.withLock { $0.take(weight, isUrgent: true, at: now) }
        case .patient: return requests.withLock { $0.take(weight, isUrgent: false, at: now) }
        case .connection: return connections.withLock { $0.take(isUrgent: true, at: now) }
        }
    }

    /// Takes the right to replace the connections of one part, if no other one is doing so.
    func beginRotation() -> Bool {
        rotation.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    /// Gives it back.
    func endRotation() { rotation.withLock { $0 = false } }

    /// Nobody asks the venue for so many nanoseconds, since it has answered with a status.
    func pauseRequests(for nanoseconds: Int64, status: Int) {
        let now = clock()
        requests.withLock { $0.pause(for: nanoseconds, at: now) }
        note("status \(status) to a request", for: nanoseconds, at: now)
    }

    private func note(_ reason: String, for nanoseconds: Int64, at now: Timestamp) {
        let until = now.adding(nanoseconds: nanoseconds)
        ban.withLock { ban in
            if ban.map({ $0.until < until }) ?? true { ban = (until, reason) }
        }
    }

    /// That the venue wants to be left alone, until when and why; empty where it does not.
    func banWords(at now: Timestamp) -> String {
        guard let ban = ban.withLock({ $0 }), ban.until > now else { return "" }
        return "banned until \(ban.until.iso8601): \(ban.reason)"
    }

    /// The venue has refused a connection, and says with what status and for how long: nobody connects until
    /// then.
    ///
    /// - Returns: Nanoseconds; 0 where the status asks for no patience.
    @discardableResult
    func refusedConnection(status: Int, retryAfter: Duration?) -> Int64 {
        var pause = RequestPlan.ban(status: status, retryAfter: retryAfter)
        // How long too many connections are too many the venue knows best.
        if status == 429, let retryAfter { pause = retryAfter.wholeNanoseconds }
        guard pause > 0 else { return 0 }
        let now = clock()
        connections.withLock { $0.pause(for: pause, at: now) }
        note("status \(status) to a connection", for: pause, at: now)
        return pause
    }
}
