package import Alerting
package import Instruments

/// What somebody is to be told, with everything that a text or a machine needs.
package struct Notice: Hashable, Sendable {
    /// What happened.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A rule fired.
        case fired
        /// A rule fired that was found too late, after a gap in the data.
        case late
        /// Nothing of an instrument can be believed, so its rules wait.
        case blind
        /// It can be believed again.
        case seesAgain = "sees_again"
        /// Too much happened: more is not told for a while.
        case quieted
        /// One rule fired too often: what it would fire until ``Notice/until`` is left out.
        case ruleQuieted = "rule_quieted"
        /// Several things at once.
        case digest
        /// A channel of the person's is told nothing any more; ``Notice/note`` is its name.
        case channelEnded = "channel_ended"
        /// Where PostgreSQL keeps its files is little room; for operators.
        case diskNearlyFull = "disk_nearly_full"
        /// Somebody wants to see whether a channel works.
        case test
    }

    /// One thing of a digest.
    package struct Item: Hashable, Sendable {
        package var rule: RuleID
        /// Which firing of it.
        package var epoch: Int64
        package var instrument: InstrumentID?
        /// The value that fired it.
        package var price: DecimalNumber?
        /// In what the price is.
        package var currency: String?
        /// When it happened by the venue.
        package var venueTime: Timestamp
        /// How often the rule fired; the rest is of the last time.
        package var count: Int
        /// As it would be told on its own; `nil` where no more is known than the rest.
        package var notice: Notice?

        /// Describes a thing of a digest.
        package init(
            rule: RuleID, epoch: Int64, instrument: InstrumentID?, price: DecimalNumber?,
            currency: String? = nil, venueTime: Timestamp, count: Int = 1, notice: Notice? = nil
        ) {
            self.notice = notice
            self.rule = rule
            self.epoch = epoch
            self.instrument = instrument
            self.price = price
            self.currency = currency
            self.venueTime = venueTime
            self.count = count
        }
    }

    /// Rules that a digest names at most, as many as a user has by default; ``count`` says how many firings
    /// there were.
    package static let itemLimit = 50

    /// The delivery's id: 1...256 bytes, the same for each retry and no other delivery's.
    package var id: String
    package var kind: Kind
    /// When it happened by the venue; for what no venue did, when it was noticed.
    package var venueTime: Timestamp
    package var rule: RuleID?
    /// Which firing of it, from 1.
    package var epoch: Int64?
    package var instrument: InstrumentID?
    /// What the rule waited for.
    package var condition: AlertCondition?
    /// The value that fired it.
    package var price: DecimalNumber?
    /// The value before.
    package var previous: DecimalNumber?
    /// The level that was passed.
    package var level: DecimalNumber?
    /// In what prices are, such as `USDT`; `nil` when nobody knows.
    package var currency: String?
    /// The engine's own sentence, in English, for machines and for conditions without a text of their own.
    package var reason: String
    /// Nanoseconds by which it was found too late; 0 for in time.
    package var lateBy: Int64
    /// Whether its rule fires no more.
    package var isLast: Bool
    /// Since when an instrument was blind.
    package var since: Timestamp?
    /// Until when a rule is quiet.
    package var until: Timestamp?
    /// How many things a digest or a quieted notice stands for.
    package var count: Int
    /// The first of them.
    package var items: [Item]
    /// The owner's own words.
    package var note: String
    /// The owner's own marks.
    package var tags: [String]
    /// How urgent.
    package var priority: AlertPriority
    /// The name of the channel, which a test says.
    package var channel: String

    /// Describes something of which no more is known than this.
    package init(id: String, kind: Kind, venueTime: Timestamp) {
        self.id = id
        self.kind = kind
        self.venueTime = venueTime
        reason = ""
        lateBy = 0
        isLast = false
        count = 0
        items = []
        note = ""
        tags = []
        priority = .normal
        channel = ""
    }
}
