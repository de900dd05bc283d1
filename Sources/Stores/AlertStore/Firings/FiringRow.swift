package import Alerting
package import Instruments
package import MarketStore
package import Store

/// Why a row is among the firings of a rule.
package enum FiringKind: String, Hashable, Sendable, CaseIterable {
    /// The condition came true.
    case fired
    /// The data that the condition needs cannot be believed any more.
    case blind
    /// It can be believed again.
    case seesAgain = "sees_again"
    /// The owner wanted to see a notification.
    case tested
    /// It fired too often within an hour: what it would fire is left out for a while.
    case quieted
    /// That is over; the reason says how many firings were left out.
    case quietEnded = "quiet_ended"

    /// Whether its owner is told of it, and does not only find it among the rule's events.
    var isTold: Bool { self != .quietEnded }
}

/// One firing of a rule, to be stored once.
package struct FiringRow: Hashable, Sendable {
    /// What it is.
    package var kind = FiringKind.fired
    package var rule: UniqueID
    /// The rule's version that was evaluated; another one in force refuses the firing.
    package var version: Int64
    /// Which firing of the rule, from 1: one more than the stored ``StoredRule/epoch``.
    package var epoch: Int64
    /// Which lease allows it: the rule's ``StoredRule/shard``.
    package var shard: Shard
    /// What the evaluator remembers of the rule from now on.
    package var state: [UInt8]
    /// The rule fires no more.
    package var isDone: Bool
    /// Of what; `nil` for conditions that are not about one.
    package var instrument: InstrumentID?
    /// Why it fired, one sentence.
    package var reason: String
    /// The value that fired it.
    package var price: DecimalNumber?
    /// The value before.
    package var previous: DecimalNumber?
    /// The level that was passed.
    package var level: DecimalNumber?
    /// The trade that fired it.
    package var tradeID: String?
    /// When it happened by the venue.
    package var venueTime: Timestamp
    /// When we read what fired it.
    package var receivedTime: Timestamp
    /// The number of the message that fired it; 0 outside a stream.
    package var sequence: UInt64
    /// Nanoseconds by which it was found too late, after a gap; of ``FiringKind/seesAgain`` how long nothing
    /// could be believed; of ``FiringKind/quieted`` and ``FiringKind/quietEnded`` how long it is left out.
    package var lateBy: Int64

    /// Takes what an engine said of a stored rule.
    ///
    /// - Parameters:
    ///   - firing: The engine's.
    ///   - rule: As it was when the engine got it.
    ///   - state: What the evaluator remembers of the rule from now on, at most 64 KiB.
    ///   - isDone: The rule fires no more.
    package init(_ firing: Firing, of rule: StoredRule, state: [UInt8], isDone: Bool) {
        self.rule = rule.id
        version = rule.version
        epoch = Int64(firing.epoch)
        shard = rule.shard
        self.state = state
        self.isDone = isDone
        instrument = rule.rule.instrument
        if case .listed(let id) = firing.cause { instrument = id }
        reason = firing.reason
        price = firing.price
        previous = firing.previous
        level = firing.level
        tradeID = firing.tradeID
        venueTime = firing.venueTime
        receivedTime = firing.receivedTime
        sequence = firing.sequence
        lateBy = firing.lateBy
    }

    /// Says something about a rule that is no firing of it.
    ///
    /// - Parameters:
    ///   - kind: What.
    ///   - rule: Which rule.
    ///   - reason: One sentence.
    ///   - time: When, by our clock: since when it is so.
    ///   - saidAt: When it is said; `nil` for the same time.
    package init(
        _ kind: FiringKind, of rule: StoredRule, reason: String, at time: Timestamp, saidAt: Timestamp? = nil
    ) {
        self.kind = kind
        self.rule = rule.id
        version = rule.version
        epoch = rule.epoch + 1
        shard = rule.shard
        state = rule.state ?? []
        isDone = false
        instrument = rule.rule.instrument
        self.reason = reason
        venueTime = time
        receivedTime = saidAt ?? time
        sequence = 0
        lateBy = 0
    }
}

/// What became of a firing.
package enum FireResult: String, Hashable, Sendable, CaseIterable {
    /// It is stored now, with its deliveries, and the rule's state with it.
    case fired
    /// It was stored before, by whomever: that is the same as `fired`, found out later.
    case alreadyFired
    /// The owner changed the rule meanwhile, or another firing is due first: read the rule again.
    case ruleChanged
    /// The writer no longer holds the shard: forget its rules.
    case leaseLost
}
