public import Instruments
import MarketData

/// An instrument's place in an engine.
public struct MarketHandle: Hashable, Sendable {
    let offset: Int
}

/// Why a rule cannot be entered.
public enum AlertEngineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A rule of this id is there already.
    case duplicate(RuleID)
    /// The rule names a time zone that was not resolved with ``AlertEngine/resolve(_:)``.
    case unknownZone(RuleID, String)
    /// There is no room for another rule.
    case full(limit: Int)

    /// One line for a person.
    public var description: String {
        switch self {
        case .duplicate(let id):
            FieldFault("id", "\"\(id)\"", accepted: "an id that no other rule has").description
        case .unknownZone(let id, let name):
            "field \"active.time_zone\" of \(id) is \"\(name)\": accepted is a name of the time zone database"
        case .full(let limit): "no room for another rule: \(limit) are the most"
        }
    }
}

/// Decides which rules fire, from market events in the venue's order; pure, and the same every time.
///
/// Rules with a level lie in sorted arrays, one for rising and one for falling values, per instrument and
/// kind of price. A value on its way from p0 to p1 visits the levels between the two and nothing else, so
/// that a tick that passes none costs two comparisons. All other rules look at each event of their kind.
///
/// - The first value seen only arms; a rule made later is armed by the last value.
/// - Data that is not proven is not looked at; what was missed is given to `missed(…)` afterwards.
/// - The firings of one event are in the order of their times, then of their rules' ids. A condition that has
///   to hold for a time fires at the moment when that has passed, however late the event that shows it.
/// - A rule whose cooldown has not passed misses the crossing for good, and stays armed.
/// - A recurring rule that fired too often within an hour is quiet for a while, which is said once; what it
///   would have fired is counted, and how many that was is said when it is over.
public struct AlertEngine: Sendable {
    var table = RuleTable()
    var series: [LevelSeries] = []
    var seriesPlaces: [SeriesKey: UInt32] = [:]
    var markets: [Market] = []
    var marketPlaces: [InstrumentID: UInt32] = [:]
    var zones: [String: ZoneOffsets] = ["UTC": .utc]
    var journal: Journal
    var scratch: [UInt32] = []
    /// How often recurring rules fired lately, by slot.
    var paces: [UInt32: FiringPace] = [:]
    /// Slots of those of them that are quiet.
    var quieted: [UInt32] = []
    /// Rules that look at no source.
    var expiries = ExpiryQueue()
    /// Whether levels are gathered, to be put into their order together.
    var isLoading = false
    let limits: AlertLimits

    public init(limits: AlertLimits = AlertLimits()) {
        self.limits = limits
        journal = Journal(capacity: limits.journal)
    }

    /// Nanoseconds without data that can be believed, after which owners are told.
    public var blindAfter: Int64 { limits.blindAfter }

    /// How many rules there are, those that are done included.
    public var ruleCount: Int { table.count }

    /// Levels that are watched now.
    public var levelCount: Int { series.reduce(0) { $0 + $1.rising.count + $1.falling.count } }

    /// The instrument's place, made if it is new.
    public mutating func market(_ id: InstrumentID) -> MarketHandle {
        if let place = marketPlaces[id] { return MarketHandle(offset: Int(place)) }
        let offset = markets.count
        markets.append(Market(id: id))
        marketPlaces[id] = UInt32(offset)
        return MarketHandle(offset: offset)
    }

    /// Gives the offsets of a time zone that rules name.
    public mutating func resolve(_ zone: ZoneOffsets) { zones[zone.name] = zone }

    /// The series of a key, made if it is new.
    mutating func seriesPlace(_ key: SeriesKey) -> Int {
        if let place = seriesPlaces[key] { return Int(place) }
        let place = series.count
        series.append(LevelSeries(key: key))
        seriesPlaces[key] = UInt32(place)
        switch key {
        case .price(let id, let kind): markets[market(id).offset].prices[kind.place] = place
        case .spread(let id): markets[market(id).offset].spread = place
        case .close(let id, let interval):
            markets[market(id).offset].closes.append((interval: interval, series: place))
        case .portfolio: markets[market(key.subject).offset].figure = place
        case .derivative(let id, let measure): markets[market(id).offset].derivative[measure] = place
        }
        return place
    }
}

/// The bounds of an engine.
public struct AlertLimits: Hashable, Sendable {
    /// The most rules.
    public var rules: Int
    /// Evaluations remembered for ``AlertEngine/explain(_:)``, of all rules together.
    public var journal: Int
    /// Nanoseconds without data that can be believed, after which owners are told.
    public var blindAfter: Int64
    /// Nanoseconds that pass at least between two firings of a recurring rule, whatever its cooldown.
    public var leastCooldown: Int64 = 0
    /// Firings of one recurring rule within an hour, past which it is quiet; 0 for any number.
    public var firingsPerHour = 0

    /// 16 million rules, 16384 evaluations, 30 seconds; rules as they are and any number of firings.
    public init(rules: Int = 16_000_000, journal: Int = 16_384, blindAfter: Int64 = 30_000_000_000) {
        self.rules = min(rules, RuleTable.limit)
        self.journal = journal
        self.blindAfter = blindAfter
    }
}

/// One instrument in an engine, or what stands for a portfolio's figure or a venue.
struct Market: Sendable {
    /// What may be believed of one source.
    struct Feed: Hashable, Sendable {
        var isProven = false
        /// Since when not; `nil` while it is, and before the first word.
        var blindSince: Timestamp?
        /// Whether the owners were told.
        var isTold = false
        var reason = ""
    }

    let id: InstrumentID
    /// Places of the series of ``PriceKind``, -1 where no rule looks.
    var prices = [Int](repeating: -1, count: PriceKind.allCases.count)
    var spread = -1
    var closes: [(interval: Int64, series: Int)] = []
    /// Place of the series of a portfolio's figure.
    var figure = -1
    /// Places of the series of a derivative's figures.
    var derivative: [DerivativeMeasure: Int] = [:]
    var watches: [Watch] = []
    /// Rules that expire, by the source that they look at.
    var expiries = [ExpiryQueue](repeating: ExpiryQueue(), count: AlertSource.allCases.count)
    var feeds = [Feed](repeating: Feed(), count: AlertSource.allCases.count)

    init(id: InstrumentID) { self.id = id }

    /// The series that rules look at.
    var places: [Int] {
        (prices + [spread, figure]).filter { $0 >= 0 } + closes.map(\.series)
            + DerivativeMeasure.allCases.compactMap { derivative[$0] }
    }
}

extension PriceKind {
    /// Its place in a market's table.
    var place: Int {
        switch self {
        case .last: 0
        case .bid: 1
        case .ask: 2
        case .mid: 3
        case .mark: 4
        case .index: 5
        }
    }
}

extension AlertSource {
    /// Its place in a market's table.
    var place: Int { Int(rawValue) }
}
