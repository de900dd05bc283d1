import Instruments
import Recordings
import Testing

@testable import VenueSimulation

/// A playback on a stage of its own: time is moved by hand, and what clients get is kept.
final class PlaybackFixture {
    var playback: Playback
    /// A monotonic clock, in nanoseconds.
    var now: Int64 = 5_000_000_000
    var inbox: [Int: [String]] = [:]
    var answers: [Int: RESTAnswer] = [:]
    var closed: Set<Int> = []

    init(_ entries: [RecordingEntry], _ venue: Venue, speed: PlaybackSpeed = .times(1), loops: Bool = false)
        throws
    {
        let header = RecordingHeader(
            venue: venue, started: Timestamp(nanoseconds: 0), source: "test", licence: "none")
        let script = try #require(SurveyReader.read(header, entries))
        playback = Playback(script, source: ListSource(entries), speed: speed, loops: loops)
    }

    init(_ playback: Playback) { self.playback = playback }

    func join(_ client: Int, _ path: String) -> Bool {
        act { playback, now, actions in
            playback.join(client, at: RequestAddress(path), now: now, into: &actions)
        }
    }

    func say(_ client: Int, _ text: String) {
        act { playback, now, actions in
            playback.receive(Array(text.utf8), from: client, now: now, into: &actions)
        }
    }

    func ask(_ id: Int, _ path: String, posting body: String? = nil) {
        var address = RequestAddress(path)
        address.posted = body.map { Array($0.utf8) }
        act { playback, _, actions in playback.ask(id, address, into: &actions) }
    }

    /// Lets so many milliseconds pass, with everything that is due in them.
    func pass(milliseconds: Int64) {
        let target = now + milliseconds * 1_000_000
        while true {
            let pace = act { playback, now, actions in playback.advance(at: now, limit: 100, into: &actions) }
            switch pace {
            case .again: continue
            case .wait(let until?) where until.nanoseconds <= target: now = max(until.nanoseconds, now)
            case .wait where now < target: now = target
            case .wait: return
            }
        }
    }

    /// What a client got since it was last asked.
    func taken(_ client: Int) -> [String] {
        defer { inbox[client] = [] }
        return inbox[client] ?? []
    }

    func body(_ id: Int) -> String? { answers[id].map { String(decoding: $0.body, as: UTF8.self) } }

    private func act<Result>(
        _ body: (inout Playback, Timestamp, inout [PlaybackAction]) -> Result
    ) -> Result {
        var actions: [PlaybackAction] = []
        let result = body(&playback, Timestamp(nanoseconds: now), &actions)
        for action in actions {
            switch action {
            case .send(let clients, let text):
                for client in clients {
                    inbox[client, default: []].append(String(decoding: text, as: UTF8.self))
                }
            case .close(let client): closed.insert(client)
            case .answer(let id, let answer): answers[id] = answer
            }
        }
        return result
    }
}

/// Entries of a small recording: messages on one connection, so many milliseconds after its beginning.
enum Tape {
    static func message(_ milliseconds: Int64, _ text: String, connection: Int = 1) -> RecordingEntry {
        RecordingEntry(
            time: Timestamp(nanoseconds: milliseconds * 1_000_000), connection: connection, kind: .ws,
            direction: .in,
            data: Array(text.utf8))
    }

    static func answer(_ milliseconds: Int64, _ url: String, _ body: String) -> RecordingEntry {
        RecordingEntry(
            time: Timestamp(nanoseconds: milliseconds * 1_000_000), connection: 9, kind: .http,
            direction: .in,
            url: url, data: Array(body.utf8))
    }
}
