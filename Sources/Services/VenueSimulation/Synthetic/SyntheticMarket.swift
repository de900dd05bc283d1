import Instruments
import MarketData
import Recordings
import Venues

/// A market that never was, as an endless recording: seeded random flows of orders, around prices that are a
/// function of the seed and the time, in a venue's own messages.
///
/// The same venue, seed and start give the same entries, sooner or later by the interval between two events:
/// about thirty messages a second of a venue with the standard one, the lively instruments' more.
struct SyntheticMarket: EntrySource {
    /// It has no end, so that its trades are kept for about a quarter of an hour.
    private static let syntheticTape = 2_000

    private let venue: SyntheticVenue
    private let seed: UInt64
    private let started: Timestamp
    /// Whose turn it may be: each instrument as often as it is lively.
    private let turns: [Int]
    private var model: PriceModel
    private var paths: [PricePath]
    /// Nanoseconds from one event to the next.
    private let pauses: ClosedRange<Int64>
    private(set) var flows: [SyntheticFlow] = []
    private var wording: any SyntheticProtocol
    private var random: SplitMix64
    private var time: Timestamp
    private var waiting: [RecordingEntry] = []
    private var position = 0

    /// A venue's part of the market.
    ///
    /// - Precondition: The venue is one of ``VenueSurvey/syntheticVenues``.
    init(
        venue: Venue, seed: UInt64, started: Timestamp,
        interval: Duration = VenueSimulatorConfiguration.standardInterval
    ) {
        let (seconds, attoseconds) = interval.components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        pauses = nanoseconds * 4 / 15...nanoseconds * 26 / 15
        let part = SyntheticMarket.part(of: venue).synthetic
        self.venue = part
        turns = part.turns
        var model = PriceModel(seed: seed)
        paths = part.instruments.map { $0.path(at: venue, in: &model) }
        self.model = model
        self.seed = seed
        self.started = started
        time = started
        random = SplitMix64(seed: seed ^ 0x5EED)
        wording = part.wording(seed, started)
        rewind()
    }

    mutating func next() -> RecordingEntry? {
        while position == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            position = 0
            step()
        }
        defer { position += 1 }
        return waiting[position]
    }

    mutating func rewind() {
        time = started
        random = SplitMix64(seed: seed ^ 0x5EED)
        wording = venue.wording(seed, started)
        flows.removeAll()
        for (place, instrument) in venue.instruments.enumerated() {
            let fair = paths[place].units(at: started, in: &model)
            flows.append(
                SyntheticFlow(instrument, seed: seed &* 1_000_003 &+ UInt64(place), around: fair))
        }
        waiting.removeAll()
        position = 0
        for flow in flows {
            if let image = wording.image(of: flow, at: time) {
                waiting.append(
                    RecordingEntry(
                        time: time, connection: 1, kind: .http, direction: .in, url: image.url,
                        data: image.body))
            }
            append(wording.beginning(of: flow, at: time))
        }
    }

    private mutating func step() {
        time = time.adding(nanoseconds: Int64.random(in: pauses, using: &random))
        let place = turns[Int.random(in: 0..<turns.count, using: &random)]
        let before = (flows[place].book.bestBid, flows[place].book.bestAsk)
        let step = flows[place].step(towards: paths[place].units(at: time, in: &model))
        let topChanged = before.0 != flows[place].book.bestBid || before.1 != flows[place].book.bestAsk
        append(wording.messages(of: step, flows[place], topChanged: topChanged, at: time))
    }

    private mutating func append(_ messages: [[UInt8]]) {
        for message in messages {
            waiting.append(
                RecordingEntry(time: time, connection: 1, kind: .ws, direction: .in, data: message))
        }
    }

    /// What a playback knows of such a market.
    static func script(venue: Venue, seed: UInt64, started: Timestamp) -> PlaybackScript {
        let (description, part) = part(of: venue)
        var topics = VenueTopicTable(foldsCase: part.dialect.foldsCase)
        for instrument in part.instruments {
            for kind in part.kinds { _ = topics.enter(kind, instrument.symbol) }
        }
        var configuration = VenueConfiguration.replay(of: description)
        configuration.options = part.dialect.options
        configuration.bookDepth = part.bookDepth
        let listed = part.instruments.map {
            ListedInstrument(symbol: $0.symbol, priceScale: $0.priceScale, sizeScale: $0.sizeScale)
        }
        return PlaybackScript(
            dialect: part.dialect, topics: topics,
            restImages: part.dialect.sendsImages ? [] : Set(part.instruments.map(\.symbol)),
            instruments: part.list, listed: listed, configuration: configuration,
            holdsForSubscribers: false, hasPast: false,
            past: SyntheticPast(part, of: venue, seed: seed, until: started), tapeLimit: syntheticTape,
            started: started)
    }

    private static func part(
        of venue: Venue
    ) -> (description: VenueDescription, synthetic: SyntheticVenue) {
        guard let dialect = DialectCatalogue.dialect(of: venue), let synthetic = dialect.synthetic else {
            preconditionFailure("\(venue) has no part in the synthetic market")
        }
        return (dialect.description, synthetic)
    }
}
