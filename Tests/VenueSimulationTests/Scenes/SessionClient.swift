import Instruments
import MarketData
import Recordings
import Testing
import Venues

@testable import VenueSimulation

/// One of our own venue sessions as the client of a playback, without sockets: what feed-ingestor would see.
final class SessionClient {
    private(set) var scene: PlaybackFixture
    private(set) var session: any VenueSession
    private(set) var output = VenueOutput()
    private(set) var trades: [InstrumentID: [String]] = [:]
    /// What the venue's list of instruments says.
    private(set) var instruments: [Instrument] = []
    /// States that books were in after they had once been live.
    private(set) var relapses: [String] = []
    private let prefix: String
    private var requests: [Int: VenueRequest] = [:]
    private var nextRequest = 1
    /// Those that are open; each is a client of the playback.
    private var connections: [Int] = []
    private var wasLive: Set<InstrumentIndex> = []

    init(_ playback: Playback, configure: (inout VenueConfiguration) -> Void = { _ in }) throws {
        scene = PlaybackFixture(playback)
        let survey = VenueSurvey(playback.script)
        var configuration = survey.venueConfiguration(host: "sim", port: 1)
        configure(&configuration)
        prefix = "/\(survey.venue.rawValue)"
        session = configuration.makeSession()
    }

    private var time: Timestamp { Timestamp(nanoseconds: scene.now) }

    /// Connects, subscribes and takes what comes for so long.
    func run(milliseconds: Int64, step: Int64 = 10) {
        session.start(at: time, into: &output)
        obey()
        proceed(milliseconds: milliseconds, step: step)
    }

    func proceed(milliseconds: Int64, step: Int64 = 10) {
        for _ in 0..<milliseconds / step {
            scene.pass(milliseconds: step)
            take()
            session.tick(at: time, into: &output)
            obey()
        }
    }

    func book(_ symbol: String) throws -> Book {
        let index = try #require(session.registry.find(symbol))
        return try #require(session.book(of: index))
    }

    func state(_ symbol: String) throws -> BookState {
        session.state(of: try #require(session.registry.find(symbol)))
    }

    /// The body of the answer to a GET of a path, where it comes at once.
    func answer(_ path: String) -> [UInt8]? {
        nextRequest += 1
        scene.ask(nextRequest, path)
        return scene.answers.removeValue(forKey: nextRequest)?.body
    }

    var symbols: [String] { session.registry.ids.map(\.symbol) }

    func resync(_ symbol: String) throws {
        let index = try #require(session.registry.find(symbol))
        wasLive.remove(index)
        session.resync(index, reason: .auditMismatch, detail: "test", at: time, into: &output)
        obey()
    }

    /// The book that an audit gets.
    func audit(_ symbol: String) throws -> Book? {
        let index = try #require(session.registry.find(symbol))
        let request = try #require(session.auditRequest(for: index))
        let answer = try #require(self.answered(request))
        return answer.body.withUnsafeBytes { session.auditBook($0, for: index) }
    }

    /// The trades that came after one; `nil` where the venue has no route of them.
    func missedTrades(_ symbol: String, after mark: TradeMark) throws -> [String]? {
        let index = try #require(session.registry.find(symbol))
        guard let request = session.tradesRequest(for: index, after: mark) else { return nil }
        let answer = try #require(self.answered(request))
        trades[session.registry[index]] = nil
        answer.body.withUnsafeBytes { body in
            session.responded(to: request, status: answer.status, body: body, at: time, into: &output)
        }
        obey()
        return trades[session.registry[index]] ?? []
    }

    private func answered(_ request: VenueRequest) -> RESTAnswer? {
        scene.ask(nextRequest, String(request.url.dropFirst("http://sim:1\(prefix)".count)))
        nextRequest += 1
        return scene.answers.removeValue(forKey: nextRequest - 1)
    }

    private func take() {
        for (id, request) in requests.sorted(by: { $0.key < $1.key }) {
            guard let answer = scene.answers.removeValue(forKey: id) else { continue }
            requests[id] = nil
            answer.body.withUnsafeBytes { body in
                session.responded(to: request, status: answer.status, body: body, at: time, into: &output)
            }
            obey()
        }
        for connection in connections {
            for message in scene.taken(connection + 1) {
                var message = message
                message.withUTF8 { bytes in
                    session.receive(
                        UnsafeRawBufferPointer(bytes), connection: connection, at: time, into: &output)
                }
                obey()
            }
        }
    }

    /// Does what the session wants, until it wants nothing more.
    private func obey() {
        note()
        let actions = output.actions
        output.removeAll()
        for action in actions {
            switch action {
            case .open(let connection, let url):
                let path = String(url.dropFirst("ws://sim:1\(prefix)".count))
                #expect(scene.join(connection + 1, path), "no WebSocket at \(path)")
                connections.append(connection)
                session.opened(connection: connection, at: time, into: &output)
            case .send(let connection, let text): scene.say(connection + 1, text)
            case .request(let request):
                requests[nextRequest] = request
                let path = String(request.url.dropFirst("http://sim:1\(prefix)".count))
                scene.ask(nextRequest, path, posting: request.body)
                nextRequest += 1
            // The frame layer answers pings, and knows that the connection lives.
            case .ping, .reconnect: break
            }
        }
        if !output.actions.isEmpty || !output.events.isEmpty { obey() }
    }

    private func note() {
        for event in output.events {
            switch event {
            case .trade(let index, let trade):
                let text =
                    "\(trade.id) \(trade.price.text(trade.priceScale)) \(trade.size.text(trade.sizeScale))"
                trades[session.registry[index], default: []].append(text)
            case .state(let index, let change) where wasLive.contains(index) && change.state != .live:
                relapses.append(
                    "\(session.registry[index]) \(change.state) \(change.reason.name) \(change.detail)")
            case .book(let event): wasLive.insert(event.instrument)
            case .instrument(_, let instrument): instruments.append(instrument)
            default: break
            }
        }
    }
}
