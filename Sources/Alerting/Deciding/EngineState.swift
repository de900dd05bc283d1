public import Instruments

/// What an engine knows besides its rules, as plain values: enough to go on after a restart as if there had
/// been none.
public struct EngineState: Hashable, Sendable {
    /// Of one rule.
    public struct Rule: Hashable, Sendable {
        /// Which.
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
        /// What a rule without a level remembers.
        var watch: Watch.Body?
    }

    /// Of one stream of values.
    public struct Series: Hashable, Sendable {
        /// Which.
        public var key: SeriesKey
        /// The last value.
        public var value: DecimalNumber
        /// When that was.
        public var time: Timestamp
    }

    /// Of one source of an instrument.
    public struct Feed: Hashable, Sendable {
        /// Whose.
        public var instrument: InstrumentID
        /// Which.
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

    /// By id.
    public var rules: [Rule] = []
    /// In the order in which they were made.
    public var series: [Series] = []
    /// In the order in which the instruments were made.
    public var feeds: [Feed] = []
}

extension AlertEngine {
    /// The state to keep over a restart.
    public func state() -> EngineState {
        var state = EngineState()
        var bodies: [UInt32: Watch.Body] = [:]
        for watch in markets.flatMap(\.watches) + listings.values.flatMap(\.self) {
            bodies[watch.slot] = watch.body
        }
        var deadlines: [UInt32: Timestamp] = [:]
        for entry in series.flatMap(\.pending) { deadlines[entry.slot] = entry.deadline }
        for slot in table.slots {
            let record = table[slot]
            state.rules.append(
                EngineState.Rule(
                    id: record.id, isDone: record.flags.contains(.done), firings: record.epoch,
                    lastFired: record.flags.contains(.fired) ? record.lastFired : nil,
                    isDisarmed: record.flags.contains(.disarmed), isUpwards: record.flags.contains(.upwards),
                    deadline: deadlines[slot], isWaiting: record.flags.contains(.waiting), watch: bodies[slot]
                ))
        }
        state.rules.sort { $0.id < $1.id }
        state.series = series.filter(\.hasValue).map {
            EngineState.Series(
                key: $0.key, value: DecimalNumber(units: $0.value, scale: $0.scale), time: $0.time)
        }
        for market in markets {
            for source in AlertSource.allCases {
                let feed = market.feeds[source.place]
                state.feeds.append(
                    EngineState.Feed(
                        instrument: market.id, source: source, isProven: feed.isProven,
                        blindSince: feed.blindSince, isTold: feed.isTold, reason: feed.reason))
            }
        }
        return state
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
            guard let value = align(place, entry.value.units, entry.value.scale) else { continue }
            series[place].take(value, at: entry.time)
        }
        for rule in state.rules {
            if let slot = table.slot(of: rule.id) { restore(rule, in: slot) }
        }
        for place in series.indices { series[place].settle() }
    }

    private mutating func restore(_ rule: EngineState.Rule, in slot: UInt32) {
        table[slot].epoch = rule.firings
        if let lastFired = rule.lastFired {
            table[slot].flags.insert(.fired)
            table[slot].lastFired = lastFired
        }
        let place = Int(table[slot].place)
        guard !rule.isDone else { return finish(slot) }
        if let body = rule.watch {
            guard table[slot].shape == .watch, markets.indices.contains(place),
                let index = markets[place].watches.firstIndex(where: { $0.slot == slot })
            else { return }
            markets[place].watches[index].body = body
            return
        }
        guard table[slot].shape != .watch else { return }
        if rule.isUpwards { table[slot].flags.insert(.upwards) }
        if rule.isDisarmed, let back = rearmLevel(of: slot) {
            table[slot].flags.insert(.disarmed)
            series[place].insert(back.level, LevelTag(slot, .rearm), rises: back.rises)
        }
        if let deadline = rule.deadline {
            table[slot].flags.insert(.pending)
            series[place].wait(slot, until: deadline)
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
