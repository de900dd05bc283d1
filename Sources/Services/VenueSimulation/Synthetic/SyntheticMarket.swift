import Instruments
import MarketData
import Recordings
import Venues

/// A market that never was, as an endless recording: seeded random flows of orders in a venue's own messages.
///
/// The same venue, seed and start give the same entries, sooner or later by the interval between two events:
/// about fifty messages a second for each instrument with the standard one.
struct SyntheticMarket: EntrySource {
    /// It has no end, so that its trades are kept for about a quarter of an hour.
    private static let syntheticTape = 2_000

    private let venue: SyntheticVenue
    private let seed: UInt64
    private let started: Timestamp
    /// Nanoseconds from one event to the next.
    private let pauses: ClosedRange<Int64>
    private var flows: [SyntheticFlow] = []
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
        self.venue = SyntheticMarket.part(of: venue).synthetic
        self.seed = seed
        self.started = started
        time = started
        random = SplitMix64(seed: seed ^ 0x5EED)
        wording = self.venue.wording(seed, started)
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
        flows = venue.instruments.enumerated().map { place, instrument in
            SyntheticFlow(instrument, seed: seed &* 1_000_003 &+ UInt64(place))
        }
        waiting.removeAll()
        position = 0
        for flow in flows { append(wording.beginning(of: flow, at: time)) }
    }

    private mutating func step() {
        time = time.adding(nanoseconds: Int64.random(in: pauses, using: &random))
        let place = Int.random(in: 0..<flows.count, using: &random)
        let before = (flows[place].book.bestBid, flows[place].book.bestAsk)
        let step = flows[place].step()
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
    static func script(venue: Venue, started: Timestamp) -> PlaybackScript {
        let (description, part) = part(of: venue)
        var topics = VenueTopicTable(foldsCase: false)
        for instrument in part.instruments {
            for kind in [StreamKind.book, .trade, .ticker] { _ = topics.enter(kind, instrument.symbol) }
        }
        var configuration = VenueConfiguration.replay(of: description)
        configuration.options = part.dialect.options
        configuration.bookDepth = part.bookDepth
        let listed = part.instruments.map {
            ListedInstrument(symbol: $0.symbol, priceScale: $0.priceScale, sizeScale: $0.sizeScale)
        }
        return PlaybackScript(
            dialect: part.dialect, topics: topics, instruments: part.list, listed: listed,
            configuration: configuration, holdsForSubscribers: false, hasPast: false,
            tapeLimit: syntheticTape, started: started)
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
