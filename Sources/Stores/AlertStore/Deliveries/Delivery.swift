package import Instruments
import MarketStore
package import Store

/// A firing as far as somebody is told of it.
package struct DeliveredFiring: Hashable, Sendable {
    package var rule: UniqueID
    /// Which firing of it.
    package var epoch: Int64
    /// The rule's version that fired, see `alerts.rule_event`.
    package var version: Int64
    /// What the rule says now, in the form of import and export.
    package var definition: String
    /// Of what; `nil` for conditions that are not about one.
    package var instrument: InstrumentID?
    /// What it is: the condition came true, or what `alerts.firing.kind` says.
    package var kind: String
    /// Why it fired.
    package var reason: String
    /// The value that fired it, plain decimal notation.
    package var price: String?
    /// The value before.
    package var previous: String?
    /// The level that was passed.
    package var level: String?
    /// In what the instrument's prices are; `nil` for one that is not known.
    package var currency: String?
    /// The trade that fired it.
    package var tradeID: String?
    /// When it happened by the venue.
    package var venueTime: Timestamp
    /// Nanoseconds by which it was found too late.
    package var lateBy: Int64
    /// When it was stored.
    package var fired: Timestamp
}

/// Something that is to be told by one channel, claimed by one who tells it.
package struct Delivery: Hashable, Sendable {
    /// What there is to tell.
    package enum Subject: Hashable, Sendable {
        /// A rule fired.
        case firing(DeliveredFiring)
        /// Anything else; for what a digest tells see ``GatheredFiring``.
        case notice(OutboxNotice)
    }

    /// The key: the same at every attempt, so that a receiver knows what it has had already.
    package var id: UniqueID
    /// Which claim of it, from 1.
    package var attempt: Int32
    /// By whom it is claimed.
    package var claimant: String
    /// Attempts that were made and failed.
    package var failures: Int32
    /// Whether it was held back, so that it is to be told in a digest.
    package var isHeld: Bool
    /// Whether it is counted among what its user is told within the hour.
    package var isCounted = false
    /// When it was put into the outbox.
    package var created: Timestamp
    /// Where to.
    package var channel: Channel
    package var subject: Subject

    /// What came of an attempt.
    package enum Outcome: Hashable, Sendable {
        /// The receiver has it.
        case delivered
        /// To be tried again then, and why.
        case retry(at: Timestamp, error: String)
        /// Not tried at all: its turn is then, and why.
        case postponed(until: Timestamp, error: String?)
        /// Not tried at all: it is held back until then, for a reason, and told together with others.
        case held(until: Timestamp, reason: String)
        /// Never to be tried again, and why.
        case dead(error: String)
    }

    /// The firing, if it tells one.
    package var firing: DeliveredFiring? {
        if case .firing(let firing) = subject { return firing }
        return nil
    }

    package var messageID: String { id.description }
}

extension DeliveredFiring {
    static let columns: SQL = """
        firing.rule_id, firing.epoch, firing.rule_version, rule.rule::text, firing.venue, firing.symbol, \
        firing.reason, firing.price, firing.previous, firing.level, firing.trade_id, firing.venue_time, \
        firing.late_by, firing.fired_at, firing.kind, (SELECT quote FROM market.instrument AS traded \
        WHERE traded.venue = firing.venue AND traded.symbol = firing.symbol)
        """

    /// Reads ``columns``; `nil` when they are those of no firing.
    init?(_ row: inout RowReader) throws(StoreError) {
        let rule = try row.uniqueIDOrNil()
        let (epoch, version) = (try row.int64OrNil(), try row.int64OrNil())
        let definition = try row.textOrNil()
        let (venue, symbol, reason) = (try row.textOrNil(), try row.textOrNil(), try row.textOrNil())
        let numbers = [try row.numericOrNil(), try row.numericOrNil(), try row.numericOrNil()]
        let (trade, time) = (try row.textOrNil(), try row.int64OrNil())
        let (lateBy, fired) = (try row.int64OrNil(), try row.timeOrNil())
        let (kind, currency) = (try row.textOrNil(), try row.textOrNil())
        guard let rule, let epoch, let version, let reason, let time, let lateBy, let fired else {
            return nil
        }
        self.init(
            rule: rule, epoch: epoch, version: version, definition: definition ?? "",
            instrument: venue.map { InstrumentID(venue: Venue(rawValue: $0), symbol: symbol ?? "") },
            kind: kind ?? "fired", reason: reason, price: numbers[0]?.description,
            previous: numbers[1]?.description, level: numbers[2]?.description, currency: currency,
            tradeID: trade, venueTime: Timestamp(nanoseconds: time), lateBy: lateBy, fired: fired)
    }
}
