import Instruments
import MarketData
import Testing
import Venues

@testable import FeedIngestion

/// One venue's parts on a simulated clock: their sessions, and the way to the venue that they share.
struct StormWorld {
    private struct Question {
        let part: Int
        let request: VenueRequest
        var due = Timestamp.zero
    }

    /// How long the venue takes for an image, and how often time acts on a session; nanoseconds.
    private static let answerTime: Int64 = 50_000_000
    private static let step: Int64 = 100_000_000

    private(set) var now = Timestamp(nanoseconds: 1_000_000_000_000)
    /// When an image was asked for.
    private(set) var asked: [Timestamp] = []
    private var sessions: [any VenueSession] = []
    private var output = VenueOutput()
    private var pace: RequestPace
    private var waiting: [Question] = []
    private var answers: [Question] = []
    private var underWay: Set<VenueRequest> = []
    /// What the numbers of changes are counted from.
    private var number = 100
    let wants: [VenueSubscriptions.SymbolSubscription]

    /// So many instruments of Binance, spread as they would be.
    init(instruments: Int) {
        wants = (0..<instruments).map { .init(symbol: "S\($0)USDT", channels: Set(VenueChannel.usual)) }
        pace = RequestPace(Binance.spot.requests)
        var plan = PartPlan(Binance.spot)
        for (number, part) in plan.place(wants).parts.enumerated() {
            let place = VenueFeedSupervisor(
                VenueConfiguration(Binance.spot), number: number, following: part)
            sessions.append(place.configuration(part).makeSession())
        }
        for part in sessions.indices {
            act(part) { session, output, now in
                session.start(at: now, into: &output)
                session.opened(connection: 0, at: now, into: &output)
            }
        }
    }

    var parts: Int { sessions.count }

    /// Books that are live.
    var live: Int {
        sessions.reduce(0) { count, session in
            count + session.registry.indices.count { session.state(of: $0) == .live }
        }
    }

    /// Every book loses a change at once.
    mutating func gap() {
        number += 100
        for part in sessions.indices {
            for id in sessions[part].registry.ids {
                let text = """
                    {"stream":"\(id.symbol.lowercased())@depth@100ms","data":{"e":"depthUpdate","E":1,\
                    "s":"\(id.symbol)","U":\(number + 5),"u":\(number + 6),"b":[],"a":[["3","1"]]}}
                    """
                act(part) { session, output, now in
                    var text = text
                    text.withUTF8 {
                        session.receive(UnsafeRawBufferPointer($0), connection: 0, at: now, into: &output)
                    }
                }
            }
        }
    }

    /// Lets time pass, and the venue answer.
    mutating func run(seconds: Int) {
        for _ in 0..<(Int64(seconds) * 1_000_000_000 / Self.step) {
            now = now.adding(nanoseconds: Self.step)
            let due = answers.filter { $0.due <= now }
            answers.removeAll { $0.due <= now }
            for answer in due { deliver(answer) }
            for part in sessions.indices {
                act(part) { session, output, now in session.tick(at: now, into: &output) }
            }
            ask()
        }
    }

    private mutating func ask() {
        while let first = waiting.first,
            pace.take(Binance.spot.weight(first.request.url), isUrgent: true, at: now) == 0
        {
            waiting.removeFirst()
            asked.append(now)
            answers.append(
                Question(
                    part: first.part, request: first.request,
                    due: now.adding(nanoseconds: Self.answerTime)))
        }
    }

    private mutating func deliver(_ answer: Question) {
        underWay.remove(answer.request)
        let last = number + 10
        let body = #"{"lastUpdateId":\#(last),"bids":[["1","1"]],"asks":[["2","1"]]}"#
        act(answer.part) { session, output, now in
            var body = body
            body.withUTF8 {
                session.responded(
                    to: answer.request, status: 200, body: UnsafeRawBufferPointer($0), at: now, into: &output)
            }
        }
    }

    private mutating func act(
        _ part: Int, _ body: (inout any VenueSession, inout VenueOutput, Timestamp) -> Void
    ) {
        body(&sessions[part], &output, now)
        for case .request(let request) in output.actions {
            guard case .bookSnapshot = request.purpose, underWay.insert(request).inserted else { continue }
            waiting.append(Question(part: part, request: request))
        }
        output.removeAll()
    }
}
