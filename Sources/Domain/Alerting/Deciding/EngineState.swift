public import Instruments

/// What an engine knows besides its rules, as plain values: enough to go on after a restart as if there had
/// been none.
public struct EngineState: Hashable, Sendable {
    /// What is known of one rule, without what it says.
    public struct Rule: Hashable, Sendable {
        public var id: RuleID
        /// Fired its only time, or expired.
        public var isDone = false
        /// How often it fired.
        public var firings: UInt32 = 0
        /// When it fired last, by the venue; `nil` for never.
        public var lastFired: Timestamp?
        /// Has not moved back far enough since.
        public var isDisarmed = false
        /// Its last crossing was upwards.
        public var isUpwards = false
        /// Holds, and fires at this time.
        public var deadline: Timestamp?
        /// Still to be looked at with the first value.
        public var isWaiting = false
        /// What the rule remembers; empty for nothing.
        ///
        /// Of one that holds these are units and scale of the value that it came from.
        public var watch: [Int64] = []

        /// Names a rule of which nothing is remembered.
        public init(id: RuleID) { self.id = id }
    }

    /// Of one stream of values.
    public struct Series: Hashable, Sendable {
        public var key: SeriesKey
        /// The last value, cut where no decimal holds it.
        public var value: DecimalNumber
        /// The value in units of 10^-19 where no decimal holds it, such as the middle of two prices of 18
        /// places; `nil` elsewhere.
        public var wide: Int128?
        /// When that was.
        public var time: Timestamp

        public init(key: SeriesKey, value: DecimalNumber, wide: Int128? = nil, time: Timestamp) {
            self.key = key
            self.value = value
            self.wide = wide
            self.time = time
        }
    }

    /// Of one source of an instrument.
    public struct Feed: Hashable, Sendable {
        public var instrument: InstrumentID
        public var source: AlertSource
        /// Whether it may be believed.
        public var isProven: Bool
        /// Since when not.
        public var blindSince: Timestamp?
        /// Whether the owners were told.
        public var isTold: Bool
        /// Why not.
        public var reason: String
    }

    /// Where the evaluation of one instrument's stored data stood, which only who feeds the engine knows.
    public struct Tape: Hashable, Sendable {
        public var instrument: InstrumentID
        /// The latest venue time of any trade that was evaluated.
        public var time: Timestamp
        /// Ids of the trades of exactly that time that were; of what a venue lists, the last one's number.
        public var ids: [String]
        /// Start of the last closed candle that was evaluated, by interval in nanoseconds.
        public var closes: [Int64: Timestamp]

        public init(
            instrument: InstrumentID, time: Timestamp, ids: [String], closes: [Int64: Timestamp] = [:]
        ) {
            self.instrument = instrument
            self.time = time
            self.ids = ids
            self.closes = closes
        }
    }

    /// One of the last evaluations.
    public struct Line: Hashable, Sendable {
        public var rule: RuleID
        /// What became of it.
        public var evaluation: Evaluation
    }

    /// How often a recurring rule fired lately.
    public struct Pace: Hashable, Sendable {
        public var rule: RuleID
        public var pace: FiringPace

        public init(rule: RuleID, pace: FiringPace) { (self.rule, self.pace) = (rule, pace) }
    }

    /// By id; without those of which nothing is remembered.
    public var rules: [Rule] = []
    /// In the order in which they were made.
    public var series: [Series] = []
    /// In the order in which the instruments were made.
    public var feeds: [Feed] = []
    /// The last evaluations, oldest first.
    public var journal: [Line] = []
    /// Empty unless somebody filled it in.
    public var tapes: [Tape] = []
    /// By the rule's id; without those that never fired.
    public var paces: [Pace] = []

    /// Nothing is known.
    public init() {}
}

extension AlertEngine {
    /// The state to keep over a restart.
    public func state() -> EngineState {
        var state = EngineState()
        var bodies: [UInt32: Watch.Body] = [:]
        for watch in markets.flatMap(\.watches) {
            bodies[watch.slot] = watch.body
        }
        var pending: [UInt32: LevelSeries.Pending] = [:]
        for entry in series.flatMap(\.pending) { pending[entry.slot] = entry }
        for slot in table.slots {
            if let rule = remembered(slot, pending[slot], bodies[slot]) { state.rules.append(rule) }
        }
        state.rules.sort { $0.id < $1.id }
        state.series = series.filter(\.hasValue).map {
            let last = $0.reading
            return EngineState.Series(key: $0.key, value: last.said, wide: last.wide?.units, time: $0.time)
        }
        for market in markets {
            // A version that does not know derivatives can read what has none.
            for source in AlertSource.allCases where source != .derivative || !market.derivative.isEmpty {
                let feed = market.feeds[source.place]
                state.feeds.append(
                    EngineState.Feed(
                        instrument: market.id, source: source, isProven: feed.isProven,
                        blindSince: feed.blindSince, isTold: feed.isTold, reason: feed.reason))
            }
        }
        state.journal = journal.all.map { EngineState.Line(rule: $0.rule, evaluation: $0.evaluation) }
        state.paces = keptPaces
        return state
    }

    /// What must be kept of a rule; `nil` for one that is as if it had just been entered.
    private func remembered(
        _ slot: UInt32, _ pending: LevelSeries.Pending?, _ body: Watch.Body?
    ) -> EngineState.Rule? {
        let record = table[slot]
        let from = pending?.from.map { [$0.units, Int64($0.scale.rawValue)] }
        let watch = body?.kept ?? from ?? []
        let isNew = record.flags.isEmpty && record.epoch == 0 && pending == nil && watch.isEmpty
        // One that looks at the first value must not look again.
        if isNew, !table.options(of: slot).whenAlready { return nil }
        var rule = EngineState.Rule(id: record.id)
        rule.isDone = record.flags.contains(.done)
        rule.firings = record.epoch
        rule.lastFired = record.flags.contains(.fired) ? record.lastFired : nil
        rule.isDisarmed = record.flags.contains(.disarmed)
        rule.isUpwards = record.flags.contains(.upwards)
        rule.deadline = pending?.deadline
        rule.isWaiting = record.flags.contains(.waiting)
        rule.watch = watch
        return rule
    }

    /// Takes over a state kept before; for rules that were entered since into a new engine.
    ///
    /// Rules that the state does not know are armed by the last values; what it knows of rules that are gone
    /// is left out.
    public mutating func restore(_ state: EngineState) {
        for feed in state.feeds {
            let market = market(feed.instrument)
            markets[market.offset].feeds[feed.source.place] = Market.Feed(
                isProven: feed.isProven, blindSince: feed.blindSince, isTold: feed.isTold, reason: feed.reason
            )
        }
        for entry in state.series {
            let place = seriesPlace(entry.key)
            let last = entry.wide.map { Reading(ExactValue(units: $0)) } ?? Reading(entry.value)
            series[place].take(last, at: entry.time)
        }
        for rule in state.rules {
            if let slot = table.slot(of: rule.id) { restore(rule, in: slot) }
        }
        restore(state.paces)
        for place in series.indices { series[place].settle() }
        for line in state.journal { journal.note(line.rule, line.evaluation) }
    }

    private mutating func restore(_ rule: EngineState.Rule, in slot: UInt32) {
        table[slot].epoch = rule.firings
        if let lastFired = rule.lastFired {
            table[slot].flags.insert(.fired)
            table[slot].lastFired = lastFired
        }
        let place = Int(table[slot].place)
        guard !rule.isDone else { return finish(slot) }
        guard table[slot].shape != .watch else {
            guard !rule.watch.isEmpty, markets.indices.contains(place),
                let index = markets[place].watches.firstIndex(where: { $0.slot == slot })
            else { return }
            return markets[place].watches[index].body.takeOver(rule.watch)
        }
        if rule.isUpwards { table[slot].flags.insert(.upwards) }
        if rule.isDisarmed, let back = rearmLevel(of: slot) {
            table[slot].flags.insert(.disarmed)
            series[place].insert(back.level, LevelTag(slot, .rearm), rises: back.rises)
        }
        if let deadline = rule.deadline {
            table[slot].flags.insert(.pending)
            series[place].wait(LevelSeries.Pending(deadline: deadline, slot: slot, from: rule.heldFrom))
            if let release = releaseLevel(of: slot) {
                series[place].insert(release.level, LevelTag(slot, .cancel), rises: release.rises)
            }
        }
        if table[slot].flags.contains(.waiting), !rule.isWaiting {
            table[slot].flags.remove(.waiting)
            series[place].waiting.removeAll { $0 == slot }
        }
    }
}

extension EngineState.Rule {
    /// The value that a rule with a level came from before it began to hold.
    fileprivate var heldFrom: DecimalNumber? {
        guard watch.count == 2, let places = UInt8(exactly: watch[1]), let scale = Scale(rawValue: places)
        else { return nil }
        return DecimalNumber(units: watch[0], scale: scale)
    }
}
