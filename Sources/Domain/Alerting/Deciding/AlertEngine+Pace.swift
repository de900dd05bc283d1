import Instruments

extension AlertEngine {
    /// How long after a firing a rule may not fire again.
    func cooldown(_ options: RuleOptions) -> Int64 {
        guard case .recurring(let cooldown, _) = options.repetition else { return 0 }
        return max(cooldown, limits.leastCooldown)
    }

    /// Counts what is to fire, or leaves it out since its rule fired too often within the hour before.
    ///
    /// What is left out is for its rule as if it had fired: its cooldown begins. So as many are left out as
    /// would have been told.
    ///
    /// - Returns: Why it is left out; `nil` when it fires.
    mutating func leaveOut(
        _ slot: UInt32, _ options: RuleOptions, _ tick: Tick, into output: inout [AlertOutput]
    ) -> EvaluationOutcome? {
        guard limits.firingsPerHour > 0, case .recurring = options.repetition else { return nil }
        endQuiet(slot, at: tick.time, into: &output)
        let until: Timestamp
        switch paces[slot, default: FiringPace()].take(tick.time, limit: limits.firingsPerHour) {
        case .fires: return nil
        case .begins(let period):
            quieted.append(slot)
            output.append(.quieted(table[slot].id, period))
            until = period.until
        case .leftOut(let end): until = end
        }
        table[slot].flags.insert(.fired)
        table[slot].lastFired = tick.time
        return .quieted(until: until)
    }

    /// Ends the quiet period of a rule if it is over, or with the rule's own time.
    mutating func endQuiet(
        _ slot: UInt32, at time: Timestamp, isLast: Bool = false, into output: inout [AlertOutput]
    ) {
        guard var period = paces[slot]?.quiet, isLast || time >= period.until else { return }
        period.until = min(period.until, time)
        paces[slot]?.quiet = nil
        quieted.removeAll { $0 == slot }
        output.append(.quietEnded(table[slot].id, period))
    }

    /// Ends quiet periods of an instrument's rules that are over by the venue's clock.
    ///
    /// Those of a source that cannot be believed wait: what is missed may have happened before.
    mutating func endQuiet(ofMarket market: Int, at time: Timestamp, into output: inout [AlertOutput]) {
        for slot in quieted where isBelieved(slot, in: market) { endQuiet(slot, at: time, into: &output) }
    }

    /// Forgets how often a rule fired.
    mutating func forgetPace(_ slot: UInt32) {
        guard paces.removeValue(forKey: slot) != nil else { return }
        quieted.removeAll { $0 == slot }
    }

    /// What was counted of rules that are there, by their ids.
    var keptPaces: [EngineState.Pace] {
        paces.map { EngineState.Pace(rule: table[$0.key].id, pace: $0.value) }.sorted { $0.rule < $1.rule }
    }

    /// Goes on counting where a state stands.
    mutating func restore(_ kept: [EngineState.Pace]) {
        for entry in kept {
            guard let slot = table.slot(of: entry.rule), !table[slot].flags.contains(.done) else { continue }
            paces[slot] = entry.pace
            if entry.pace.quiet != nil { quieted.append(slot) }
        }
    }

    /// Whether a rule is about a market and its data may be believed.
    private func isBelieved(_ slot: UInt32, in market: Int) -> Bool {
        let place = Int(table[slot].place)
        guard table[slot].shape == .watch else {
            let key = series[place].key
            return marketPlaces[key.subject] == UInt32(market) && isProven(key)
        }
        guard place == market, let watch = markets[place].watches.first(where: { $0.slot == slot }) else {
            return false
        }
        return watch.source.map { markets[place].feeds[$0.place].isProven } ?? true
    }
}
