import Instruments

extension AlertEngine {
    /// A value of a series: fires what it passes on its way from the last one.
    mutating func move(
        _ place: Int, to units: Int64, _ scale: Scale, _ tick: Tick, into output: inout [AlertOutput]
    ) {
        guard !series[place].isQuiet(units, scale, tick.time) else {
            return series[place].take(units, at: tick.time)
        }
        move(place, to: Reading(DecimalNumber(units: units, scale: scale)), tick, into: &output)
    }

    /// The same for a value that may change something.
    mutating func move(
        _ place: Int, to next: Reading, _ tick: Tick, firesDue: Bool = true, into output: inout [AlertOutput]
    ) {
        if firesDue { fireDue(place, at: tick.time, tick, into: &output) }
        let previous = series[place].reading
        scratch.removeAll(keepingCapacity: true)
        if series[place].hasValue {
            series[place].passed(from: previous.exact, to: next.exact, into: &scratch)
        }
        series[place].take(next, at: tick.time)
        // By slot and, within one, by role.
        if scratch.count > 1 { scratch.sort() }
        var visited: [UInt32] = []
        swap(&visited, &scratch)
        for bits in visited { visit(LevelTag(bits: bits), from: previous, tick, into: &output) }
        swap(&visited, &scratch)
        if !series[place].waiting.isEmpty { fireWaiting(place, tick, into: &output) }
        series[place].settle()
    }

    /// Puts the firings of one event into the order of their times, then of their rules' ids.
    static func order(_ output: inout [AlertOutput], from first: Int) {
        guard output.count > first + 1 else { return }
        let ordered = output[first...].enumerated().sorted { left, right in
            guard let (earlier, rule) = left.element.moment, let (later, other) = right.element.moment,
                (earlier, rule) != (later, other)
            else { return left.offset < right.offset }
            return (earlier, rule) < (later, other)
        }
        output.replaceSubrange(first..., with: ordered.map(\.element))
    }

    private mutating func visit(
        _ tag: LevelTag, from previous: Reading, _ tick: Tick, into output: inout [AlertOutput]
    ) {
        let slot = tag.slot
        guard !table[slot].flags.contains(.done) else { return }
        switch tag.role {
        case .cancel:
            release(slot)
            note(slot, .released, previous.said, tick)
        case .rearm:
            rearm(slot)
            note(slot, .rearmed, previous.said, tick)
        case .fire:
            let place = Int(table[slot].place)
            let upwards = series[place].reading.exact > previous.exact
            cross(slot, upwards: upwards, from: previous, tick, into: &output)
        }
    }

    /// The level was passed: fires, begins to wait, or says why not.
    mutating func cross(
        _ slot: UInt32, upwards: Bool, from reading: Reading, _ tick: Tick, into output: inout [AlertOutput]
    ) {
        let options = table.options(of: slot)
        let previous = reading.said
        if expire(slot, options, tick, into: &output) { return }
        if table[slot].shape == .band, !wasInside(slot, options, reading.exact) {
            return note(slot, .wasOutside, previous, tick)
        }
        // Who passes the level need not be asked whether it already is there.
        table[slot].flags.remove(.waiting)
        guard !table[slot].flags.contains(.disarmed) else { return note(slot, .disarmed, previous, tick) }
        // Exactly on its level, `either` holds on both sides: what began to hold goes on.
        guard !table[slot].flags.contains(.pending) else { return }
        if upwards { table[slot].flags.insert(.upwards) } else { table[slot].flags.remove(.upwards) }
        guard options.sustain == 0 else { return hold(slot, options, previous, tick) }
        let cause: Firing.Cause =
            table[slot].shape == .band
            ? (upwards ? .leftUpwards : .leftDownwards) : (upwards ? .rose : .fell)
        fire(slot, options, cause, from: previous, tick, heldSince: nil, into: &output)
    }

    /// Fires unless the cooldown, the active hours or the firings of the last hour forbid it.
    mutating func fire(
        _ slot: UInt32, _ options: RuleOptions, _ cause: Firing.Cause, from previous: DecimalNumber?,
        _ tick: Tick, heldSince: Timestamp?, into output: inout [AlertOutput]
    ) {
        let place = Int(table[slot].place)
        if let refusal = refusal(slot, options, tick) { return note(slot, refusal, previous, tick) }
        if let quiet = leaveOut(slot, options, tick, into: &output) {
            note(slot, quiet, previous, tick)
            return disarm(slot)
        }
        var edge = table[slot].level
        if table[slot].shape == .band, !table[slot].flags.contains(.upwards), let low = options.low {
            edge = low
        }
        commit(slot, tick)
        output.append(
            .fired(
                Firing(
                    rule: table[slot].id, epoch: table[slot].epoch, series: series[place].key, cause: cause,
                    price: series[place].reading.said, previous: previous, level: edge,
                    tradeID: tick.tradeID, venueTime: tick.time, receivedTime: tick.received,
                    sequence: tick.sequence, lateBy: tick.lateBy,
                    heldSince: heldSince)))
        note(slot, .fired, previous, tick)
        if case .once = options.repetition { return finish(slot) }
        disarm(slot)
    }

    /// Why cooldown or hours forbid a firing; `nil` when they allow it.
    func refusal(_ slot: UInt32, _ options: RuleOptions, _ tick: Tick) -> EvaluationOutcome? {
        if table[slot].flags.contains(.fired) {
            let until = table[slot].lastFired.adding(nanoseconds: cooldown(options))
            if tick.time < until { return .cooling(until: until) }
        }
        if let active = options.active, let zone = zones[active.timeZone],
            !active.contains(localSeconds: zone.localSeconds(tick.time))
        {
            return .inactive
        }
        return nil
    }

    /// Counts a firing.
    mutating func commit(_ slot: UInt32, _ tick: Tick) {
        table[slot].epoch += 1
        table[slot].flags.insert(.fired)
        table[slot].lastFired = tick.time
    }

    /// After a firing a rule with hysteresis waits for the value to move back, if it has not already.
    private mutating func disarm(_ slot: UInt32) {
        guard let back = rearmLevel(of: slot) else { return }
        let place = Int(table[slot].place)
        let value = series[place].reading.exact
        guard back.rises ? value < back.level : value > back.level else { return }
        table[slot].flags.insert(.disarmed)
        series[place].insert(back.level, LevelTag(slot, .rearm), rises: back.rises)
    }

    mutating func rearm(_ slot: UInt32) {
        guard table[slot].flags.contains(.disarmed), let back = rearmLevel(of: slot) else { return }
        series[Int(table[slot].place)].remove(back.level, LevelTag(slot, .rearm), rises: back.rises)
        table[slot].flags.remove(.disarmed)
    }

    /// Whether a rule's time is over, in which case it is done.
    mutating func expire(
        _ slot: UInt32, _ options: RuleOptions, _ tick: Tick, into output: inout [AlertOutput]
    ) -> Bool {
        guard let expires = options.expires, tick.time >= expires else { return false }
        endQuiet(slot, at: expires, isLast: true, into: &output)
        output.append(.expired(table[slot].id, at: tick.time))
        note(slot, .expired, nil, tick)
        finish(slot)
        return true
    }

    private func wasInside(_ slot: UInt32, _ options: RuleOptions, _ previous: ExactValue) -> Bool {
        let high = table[slot].exactLevel
        return previous >= options.exactLow ?? high && previous <= high
    }

    // MARK: - Already there

    /// Fires a new rule that is where it is to go, or lets it wait for the first value.
    mutating func awaitFirst(_ slot: UInt32, at time: Timestamp, into output: inout [AlertOutput]) {
        let place = Int(table[slot].place)
        if series[place].hasValue, isProven(series[place].key) {
            let moment = max(time, series[place].time)
            greet(slot, Tick(time: moment, received: moment), into: &output)
        } else {
            table[slot].flags.insert(.waiting)
            series[place].waiting.append(slot)
        }
        series[place].settle()
    }

    private mutating func fireWaiting(_ place: Int, _ tick: Tick, into output: inout [AlertOutput]) {
        let waiting = series[place].waiting
        series[place].waiting = []
        for slot in waiting where table[slot].flags.contains(.waiting) {
            table[slot].flags.remove(.waiting)
            greet(slot, tick, into: &output)
        }
    }

    /// Fires a rule, or lets it hold, if the value is where it is to go.
    private mutating func greet(_ slot: UInt32, _ tick: Tick, into output: inout [AlertOutput]) {
        let options = table.options(of: slot)
        guard let upwards = isThere(slot, options), !expire(slot, options, tick, into: &output) else {
            return
        }
        if upwards { table[slot].flags.insert(.upwards) } else { table[slot].flags.remove(.upwards) }
        if options.sustain > 0 {
            hold(slot, options, nil, tick)
        } else {
            fire(slot, options, .already, from: nil, tick, heldSince: nil, into: &output)
        }
    }

    /// Whether the value is where the rule wants it, and on which side of the level that is.
    private func isThere(_ slot: UInt32, _ options: RuleOptions) -> Bool? {
        let value = series[Int(table[slot].place)].reading.exact
        let level = table[slot].exactLevel
        switch table[slot].shape {
        case .above: return value >= level ? true : nil
        case .below: return value <= level ? false : nil
        case .either: return value == level ? true : nil
        case .band: return value > level ? true : value < options.exactLow ?? level ? false : nil
        case .watch: return nil
        }
    }

    /// Remembers what became of an evaluation.
    mutating func note(
        _ slot: UInt32, _ outcome: EvaluationOutcome, _ previous: DecimalNumber?, _ tick: Tick
    ) {
        let place = Int(table[slot].place)
        let isLevel = table[slot].shape != .watch
        journal.note(
            table[slot].id,
            Evaluation(
                venueTime: tick.time, receivedTime: tick.received, sequence: tick.sequence,
                tradeID: tick.tradeID, lateBy: tick.lateBy,
                price: isLevel ? series[place].reading.said : nil,
                previous: isLevel ? previous : nil,
                outcome: outcome))
    }

    /// Whether a series' source may be believed.
    func isProven(_ key: SeriesKey) -> Bool {
        guard let place = marketPlaces[key.subject] else { return false }
        return markets[Int(place)].feeds[key.source.place].isProven
    }
}

extension AlertOutput {
    /// When it happened and to which rule; `nil` for a whole source.
    fileprivate var moment: (Timestamp, RuleID)? {
        switch self {
        case .fired(let firing): (firing.venueTime, firing.rule)
        case .expired(let rule, let time): (time, rule)
        case .quieted(let rule, let period): (period.since, rule)
        case .quietEnded(let rule, let period): (period.until, rule)
        case .blind, .seesAgain: nil
        }
    }
}
