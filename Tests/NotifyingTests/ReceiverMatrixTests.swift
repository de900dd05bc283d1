import AlertStore
import Alerting
import Channels
import Instruments
import Support
import Synchronization
import Testing

@testable import Notifying
@testable import Sending

/// Draws the least there is: each wait is its step exactly.
private struct NoJitter: RandomNumberGenerator {
    // Not 0, which is drawn again by whoever wants all numbers to be equally likely.
    mutating func next() -> UInt64 { 1 }
}

/// Real receivers on real sockets, and a clock that only the schedule moves.
@Suite("The matrix of receivers", .timeLimit(.minutes(10)))
struct ReceiverMatrixTests {
    private static let start: Int64 = 1_767_225_600
    /// Standard Webhooks: seconds after the attempt before.
    private static let steps: [Int64] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

    /// The seconds at which attempts are made when each wait is at least so long.
    private static func schedule(atLeast asked: Int64 = 0) -> [Int64] {
        steps.reduce(into: [start]) { $0.append($0[$0.count - 1] + max($1, asked)) }
    }

    /// Tells a delivery until it is over; the seconds of its attempts and how the last one ended.
    private static func attempts(
        at url: String, by sender: Sender
    ) async throws -> (times: [Int64], end: AttemptOutcome) {
        let settings = try ChannelSettings(
            kind: "webhook", settings: #"{"url":"\#(url)"}"#,
            secrets: #"{"keys":["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="]}"#, policy: .anything)
        var (now, times, jitter) = (Timestamp(nanoseconds: start * 1_000_000_000), [Int64](), NoJitter())
        let notice = Notice(id: "one", kind: .fired, venueTime: now)
        let text = NoticeWriter(language: .english, zone: .utc).text(notice)
        while true {
            times.append(now.nanoseconds / 1_000_000_000)
            let outgoing = try settings.outgoing(notice, text, SendingContext(now: now))
            let answered: Result<Answer, SendFailure>
            do throws(SendFailure) {
                answered = .success(try await sender.send(outgoing))
            } catch {
                answered = .failure(error)
            }
            let outcome = AttemptOutcome(
                answered, settings, failures: times.count - 1, at: now, using: &jitter)
            guard case .retry(let next, _) = outcome.end else { return (times, outcome) }
            now = next
        }
    }

    /// A sender that gives up soon those who do not answer.
    private static func sender(_ timeout: Duration) -> Sender {
        var configuration = SenderConfiguration()
        configuration.timeout = timeout
        return Sender(configuration: configuration, policy: .anything)
    }

    @Test(
        "has each told when the schedule says, under one id, and redirects followed by nobody",
        arguments: [
            ("/", "delivered", 1, 0), ("/huge", "delivered", 1, 0), ("/status/410", "gone", 1, 0),
            ("/status/301", "given_up", 10, 0), ("/move", "given_up", 10, 0),
            ("/status/404", "given_up", 10, 0), ("/status/500", "given_up", 10, 0),
            ("/after/7000", "given_up", 10, 7_000), ("/reset", "given_up", 10, 0),
            ("/hang", "given_up", 10, 0), ("/drip", "given_up", 10, 0),
        ])
    func matrix(_ path: String, _ label: String, _ count: Int, _ asked: Int64) async throws {
        let receiver = try HookReceiver()
        let isSilent = path == "/hang" || path == "/drip"
        let sender = Self.sender(isSilent ? .seconds(1) : .seconds(60))
        let (times, end) = try await Self.attempts(at: receiver.url(path), by: sender)
        #expect(end.label == label)
        #expect(times == Array(Self.schedule(atLeast: asked).prefix(count)))
        await receiver.wait { $0.count >= count }
        // What the receiver saw: the same, without exception.
        #expect(receiver.received.map { $0.headers["webhook-timestamp"] } == times.map { "\($0)" })
        #expect(receiver.received.allSatisfy { $0.path == path && $0.id == "one" })
        #expect(Set(receiver.received.map(\.body)).count == 1)
        receiver.close()
    }

    @Test("connects nowhere, ten times, when a name leads to this machine")
    func loopback() async throws {
        let receiver = try HookReceiver()
        let sender = Sender(
            configuration: SenderConfiguration(), policy: .anything, refusal: AddressRule.refusal
        ) { _ in [IPAddress("127.0.0.1")].compactMap { $0 } }
        let (times, end) = try await Self.attempts(at: "http://inside.invalid:\(receiver.port)/", by: sender)
        #expect(times == Self.schedule() && end.label == "given_up")
        // What its owner reads.
        let words = "not sent: inside.invalid does not lead to a public address"
        #expect(end.end == .dead(error: "given up after 10 attempts: \(words)"))
        #expect(receiver.connections == 0)
        receiver.close()
    }

    @Test("never connects inside although the name leads there at every other look")
    func rebinding() async throws {
        let outside = try HookReceiver()
        let inside = try HookReceiver(at: "127.0.0.2", port: outside.port)
        let looks = Mutex(0)
        let sender = Sender(
            configuration: SenderConfiguration(), policy: .anything,
            refusal: { $0 == IPAddress("127.0.0.2") ? "inside" : nil },
            lookUp: { _ in
                let look = looks.withLock { looks in
                    looks += 1
                    return looks
                }
                return [IPAddress(look % 2 == 1 ? "127.0.0.1" : "127.0.0.2")].compactMap { $0 }
            })
        let url = "http://rebind.invalid:\(outside.port)/status/500"
        let (times, end) = try await Self.attempts(at: url, by: sender)
        #expect(times == Self.schedule() && end.label == "given_up")
        // One look for each attempt, and the connection to just what was seen then.
        #expect(looks.withLock { $0 } == 10)
        #expect(outside.received.count == 5 && inside.connections == 0)
        let odd = times.enumerated().filter { $0.offset % 2 == 0 }.map { "\($0.element)" }
        #expect(outside.received.map { $0.headers["webhook-timestamp"] } == odd)
        outside.close()
        inside.close()
    }
}
