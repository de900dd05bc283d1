import Instruments
import MarketData
import Support
import Venues

@testable import VenueSimulation

/// What a run of faults found.
struct FaultFailure: Error, CustomStringConvertible { let description: String }

/// A venue of two instruments and a session that follows them over a connection with faults, by a clock of
/// its own.
struct FaultWorld {
    static let second: Int64 = 1_000_000_000
    /// How far the clock goes at a time.
    static let step: Int64 = 100_000_000

    let speaker: VenueSpeaker
    /// As the session names them.
    let symbols: [String]
    var session: any VenueSession
    var output = VenueOutput()
    var now = Timestamp(nanoseconds: 1_600_000_000_000_000_000)
    var random: SeededGenerator
    var markets: [SpokenMarket]
    /// Whether anything happens at the venue.
    var isTrading = true
    var link: FaultyLink
    var answers: AnswerFaults
    /// Instruments of which something was said wrongly that the venue's proof cannot reveal.
    var tainted: Set<Int> = []
    /// From where in its history each live book may be.
    var places: [Int]
    /// What has struck on connections that are gone.
    private var past: [FaultKind: Int] = [:]
    private var faults: [Fault]
    private var hasRested = false
    private var subscribed: Set<Int> = []
    private var numbered = 0
    private var parts: [UInt8] = []
    private var mail: [(due: Timestamp, text: String)] = []
    private var asked: [(due: Timestamp, request: VenueRequest, status: Int, body: [UInt8], epoch: Int)] = []
    private var epoch = 0
    private var opensAt: Timestamp?
    private(set) var messages = 0

    init(_ speaker: VenueSpeaker, _ faults: [Fault], _ random: inout SeededGenerator) {
        self.speaker = speaker
        self.faults = faults
        symbols = [speaker.sample.first, speaker.sample.second]
        var configuration = VenueConfiguration(speaker.sample.description)
        configuration.subscriptions = symbols.map { ($0, [.book]) }
        configuration.seed = random.next()
        session = configuration.makeSession()
        markets = symbols.map { SpokenMarket(symbol: speaker.sample.written($0), stride: speaker.stride) }
        places = symbols.map { _ in 0 }
        link = FaultyLink(FaultDice(faults, seed: random.next()))
        answers = AnswerFaults(FaultDice(faults, seed: random.next()))
        self.random = SeededGenerator(seed: random.next())
    }

    /// How often each kind has struck.
    var struck: [FaultKind: Int] {
        past.merging(link.dice.counts, uniquingKeysWith: +)
            .merging(answers.dice.counts, uniquingKeysWith: +)
    }

    // MARK: - Time

    mutating func start() throws {
        session.start(at: now, into: &output)
        try obey()
        try open()
    }

    /// Lets a tenth of a second pass.
    mutating func pass() throws {
        now = now.adding(nanoseconds: Self.step)
        for letter in mail where letter.due <= now { react(to: letter.text) }
        mail.removeAll { $0.due <= now }
        if isTrading {
            for _ in 0..<random.int(0...3) { happen() }
        }
        for departure in link.leave(at: now) { try take(departure) }
        let ready = asked.filter { $0.due <= now }
        asked.removeAll { $0.due <= now }
        for answer in ready {
            let isOutdated = answer.epoch != epoch
            (isOutdated ? [] : answer.body).withUnsafeBytes { body in
                session.responded(
                    to: answer.request, status: isOutdated ? 0 : answer.status, body: body, at: now,
                    into: &output)
            }
            try obey()
        }
        session.tick(at: now, into: &output)
        try obey()
        if let opensAt, opensAt <= now { try open() }
    }

    /// No fault strikes from now on.
    mutating func rest() {
        hasRested = true
        link.rest()
        answers.dice.rest()
    }

    // MARK: - The connection

    private mutating func open() throws {
        guard answers.refusal() == nil else {
            return opensAt = now.adding(nanoseconds: Int64(random.int(200...2_000)) * 1_000_000)
        }
        opensAt = nil
        past.merge(link.dice.counts, uniquingKeysWith: +)
        link = FaultyLink(FaultDice(hasRested ? [] : faults, seed: random.next()))
        numbered = 0
        parts = []
        subscribed = speaker.subscribesByAddress ? Set(symbols.indices) : []
        session.opened(connection: 0, at: now, into: &output)
        try obey()
    }

    private mutating func close() throws {
        guard opensAt == nil else { return }
        epoch += 1
        mail = []
        opensAt = now.adding(nanoseconds: Int64(random.int(0...2_000)) * 1_000_000)
        session.closed(connection: 0, at: now, into: &output)
        try obey()
    }

    private mutating func take(_ departure: FaultyLink.Departure) throws {
        guard opensAt == nil else { return }
        switch departure {
        case .message(let message): try receive(message)
        case .part(let part, let isFirst, let isLast):
            parts = isFirst ? part : parts + part
            if isLast { try receive(parts) }
        case .end: try close()
        }
    }

    private mutating func receive(_ message: [UInt8]) throws {
        messages += 1
        message.withUnsafeBytes { session.receive($0, connection: 0, at: now, into: &output) }
        try obey()
    }

    /// Does what the session wants, and looks at its books.
    mutating func obey() throws {
        for case .book(let event) in output.events where event.isSnapshot {
            places[event.instrument.offset] = 0
        }
        let actions = output.actions
        output.removeAll()
        try compare()
        for action in actions {
            switch action {
            case .send(0, let text):
                if !link.isHalfOpen { mail.append((now.adding(nanoseconds: 20_000_000), text)) }
            case .request(let request): ask(request)
            case .reconnect(0, _):
                // The answers to ping frames end in the connection, and say that it lives.
                if speaker.sample.description.ping == .message || link.isHalfOpen { try close() }
            default: break
            }
        }
    }

    // MARK: - The venue

    private mutating func happen() {
        let place = random.int(0...markets.count - 1)
        let told = markets[place].move(&random)
        if subscribed.contains(place) { say(told, of: place, isImage: false) }
    }

    private mutating func say(_ told: Telling, of place: Int, isImage: Bool) {
        numbered += 1
        var told = told
        told.place = numbered
        let before = unseen
        let text = isImage ? speaker.image(told) : speaker.change(told)
        link.take(Array(text.utf8), isImage: isImage, at: now)
        if unseen != before { tainted.insert(place) }
        // A clock that goes wrong is that of the whole connection.
        if speaker.proof == .nothing, link.dice.counts[.clockSkew] != nil { tainted = Set(symbols.indices) }
    }

    /// How often something has struck that the venue's proof does not reveal.
    private var unseen: Int {
        let kinds: [FaultKind] =
            switch speaker.proof {
            // A checksum is of the whole book here.
            case .checksum: []
            // A number is none of what is said.
            case .sequence: [.corrupt, .crossedBook]
            case .nothing:
                [
                    .drop, .duplicate, .reorder, .corrupt, .truncate, .crossedBook, .clockSkew, .lateSnapshot,
                ]
            }
        return kinds.reduce(0) { $0 + (link.dice.counts[$1] ?? 0) }
    }

    private mutating func react(to text: String) {
        let sample = speaker.sample
        let lower = text.lowercased()
        var isConfirmed = false
        for place in symbols.indices {
            let name = markets[place].symbol
            if !sample.sendsWholeLists, lower.contains(sample.verbs.unsubscribe) {
                if lower.contains(sample.unsubscribeName(name).lowercased()) { subscribed.remove(place) }
                continue
            }
            guard lower.contains(name.lowercased()) else { continue }
            if !isConfirmed, let confirmation = speaker.confirmation(text, name) {
                isConfirmed = true
                link.take(Array(confirmation.utf8), isImage: false, at: now)
            }
            if sample.sendsWholeLists || lower.contains(sample.verbs.subscribe) { subscribed.insert(place) }
            let wantsImage = sample.sendsWholeLists || text.contains(sample.asksForImage)
            if !speaker.imagesByRequest, wantsImage { say(markets[place].whole, of: place, isImage: true) }
        }
    }

    private mutating func ask(_ request: VenueRequest) {
        guard case .bookSnapshot(let index) = request.purpose else { return }
        let whole = markets[index.offset].whole
        let body = speaker.imagesByRequest ? speaker.image(whole) : speaker.audit(whole)
        let refusal = answers.refusal()
        let time = Int64(random.int(20...300)) * 1_000_000 + answers.delay(isImage: true)
        asked.append(
            (
                now.adding(nanoseconds: time), request, refusal?.status ?? 200,
                refusal?.body ?? Array(body.utf8), epoch
            ))
    }
}
