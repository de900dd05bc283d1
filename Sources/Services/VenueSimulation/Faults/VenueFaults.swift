import Instruments
import NIOCore

/// The faults of one venue: of each of its connections, and of its answers.
///
/// Belongs to the simulator's event loop.
struct VenueFaults {
    var answers: AnswerFaults
    private(set) var links: [Int: FaultyLink] = [:]
    /// When something leaves next.
    var wake: Scheduled<Void>?
    /// Addresses of connections that were refused, and how the plain requests that they then are end.
    private var refusals: [String: [RESTAnswer]] = [:]
    /// What connections that are gone have met.
    private var past: [FaultKind: Int] = [:]
    private let faults: [Fault]
    private let seed: UInt64
    private var joined: UInt64 = 0
    private var topics: VenueTopicTable
    private var subject = MessageSubject()

    /// `nil` where nothing goes wrong.
    ///
    /// - Parameters:
    ///   - configuration: Which faults, how often, and the seed.
    ///   - place: The venue's among those that are served: each has its own luck.
    ///   - topics: By what messages are told apart.
    init?(_ configuration: VenueSimulatorConfiguration, place: Int, topics: VenueTopicTable) {
        guard !configuration.faults.isEmpty else { return nil }
        faults = configuration.faults
        self.topics = topics
        var random = SplitMix64(seed: configuration.seed &+ UInt64(place))
        seed = random.next()
        answers = AnswerFaults(FaultDice(faults, seed: random.next()))
    }

    /// How many of each kind there were.
    var counts: [FaultKind: Int] {
        // tidy: unordered-iteration Sums are the same in any order.
        links.values.map(\.dice.counts).reduce(past) { $0.merging($1, uniquingKeysWith: +) }
            .merging(answers.dice.counts, uniquingKeysWith: +)
    }

    // MARK: - Connections

    /// A client connected; the n-th of a venue has the same luck in each run.
    mutating func join(_ client: Int, transform: (@Sendable ([UInt8]) -> [UInt8])?) {
        joined += 1
        links[client] = FaultyLink(
            FaultDice(faults, seed: seed &+ joined), transform: transform ?? { $0 })
    }

    mutating func leave(_ client: Int) {
        guard let gone = links.removeValue(forKey: client) else { return }
        past.merge(gone.dice.counts, uniquingKeysWith: +)
    }

    /// A message of the venue for some clients.
    mutating func take(_ text: [UInt8], for clients: [Int], dialect: any Dialect, at now: Timestamp) {
        text.withUnsafeBytes { dialect.sight($0, &topics, &subject) }
        for client in clients { links[client]?.take(text, isImage: subject.isImage, at: now) }
    }

    /// What leaves up to now, by client.
    mutating func leave(at now: Timestamp) -> [(client: Int, departures: [FaultyLink.Departure])] {
        links.keys.sorted().compactMap { client in
            let departures = links[client]?.leave(at: now) ?? []
            return departures.isEmpty ? nil : (client, departures)
        }
    }

    // tidy: unordered-iteration The least is the same in any order.
    var nextDeparture: Timestamp? { links.values.compactMap(\.nextDeparture).min() }

    // MARK: - Openings

    /// Whether a connection may be opened; where not, the plain request that it then is will be refused.
    mutating func opens(_ uri: String) -> Bool {
        guard let refusal = answers.refusal() else { return true }
        refusals[uri, default: []].append(refusal)
        return false
    }

    /// How a request is refused.
    mutating func refusal(of uri: String) -> RESTAnswer? {
        guard var waiting = refusals[uri], let first = waiting.first else { return answers.refusal() }
        waiting.removeFirst()
        refusals[uri] = waiting.isEmpty ? nil : waiting
        return first
    }
}
