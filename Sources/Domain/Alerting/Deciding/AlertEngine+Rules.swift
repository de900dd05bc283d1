public import Instruments
import MarketData
import Statistics

extension AlertEngine {
    /// Enters a rule; it is in force from the next event on, and at once if it fires for being there already.
    ///
    /// - Throws: ``AlertEngineError``; nothing has changed then.
    public mutating func add(
        _ rule: AlertRule, at time: Timestamp = .zero, into output: inout [AlertOutput]
    ) throws(AlertEngineError) {
        guard table.slot(of: rule.id) == nil else { throw .duplicate(rule.id) }
        guard table.count < limits.rules else { throw .full(limit: limits.rules) }
        if let zone = rule.active?.timeZone, zones[zone] == nil { throw .unknownZone(rule.id, zone) }
        enter(rule, at: time, into: &output)
    }

    /// Enters many rules, with the same result as one after the other and in a fraction of the time.
    ///
    /// - Parameters:
    ///   - rules: What is entered.
    ///   - time: When that is.
    ///   - output: What follows of it is appended.
    ///   - refused: Gets what ``add(_:at:into:)`` would have thrown; the others are entered.
    public mutating func load(
        _ rules: some Collection<AlertRule>, at time: Timestamp = .zero, into output: inout [AlertOutput],
        refused: (AlertRule, AlertEngineError) -> Void
    ) {
        table.reserve(rules.count)
        isLoading = true
        for rule in rules {
            do throws(AlertEngineError) {
                try add(rule, at: time, into: &output)
            } catch {
                refused(rule, error)
            }
        }
        isLoading = false
        for place in series.indices { series[place].arrange() }
    }

    /// Enters a rule in place of the one with its id, which keeps the number of its firings.
    ///
    /// - Throws: ``AlertEngineError``; nothing has changed then.
    public mutating func replace(
        _ rule: AlertRule, at time: Timestamp = .zero, into output: inout [AlertOutput]
    ) throws(AlertEngineError) {
        if let zone = rule.active?.timeZone, zones[zone] == nil { throw .unknownZone(rule.id, zone) }
        guard let old = table.slot(of: rule.id) else {
            return try add(rule, at: time, into: &output)
        }
        let epoch = table[old].epoch
        remove(rule.id)
        enter(rule, epoch: epoch, at: time, into: &output)
    }

    /// Forgets a rule; false when it is not there.
    @discardableResult
    public mutating func remove(_ id: RuleID) -> Bool {
        guard let slot = table.slot(of: id) else { return false }
        finish(slot)
        table.remove(slot)
        return true
    }

    /// Shows a rule of closed candles the ones before it was made, in the order of their starts: they fire
    /// nothing, but its indicator need not begin with nothing.
    public mutating func warm(_ id: RuleID, with candles: [ClosedCandle]) {
        guard let slot = table.slot(of: id), let last = candles.last else { return }
        let place = Int(table[slot].place)
        guard table[slot].shape == .watch else {
            guard !series[place].hasValue else { return }
            let close = Reading(last.close.decimal(last.priceScale))
            series[place].take(close, at: last.start.adding(nanoseconds: last.interval))
            return series[place].settle()
        }
        guard let index = markets[place].watches.firstIndex(where: { $0.slot == slot }),
            case .indicator(let interval, var signal) = markets[place].watches[index].body
        else { return }
        for candle in candles {
            let price = candle.close.decimal(candle.priceScale)
            _ = signal.update(close: .init(price.units, places: price.scale.places))
        }
        markets[place].watches[index].body = .indicator(interval: interval, signal)
    }

    /// Whether a rule is there and has neither fired its only time nor expired; `nil` when it is not there.
    public func isArmed(_ id: RuleID) -> Bool? {
        table.slot(of: id).map { !table[$0].flags.contains(.done) }
    }

    /// Calls the closure with each rule that needs a source of an instrument, in the order of the table: whom
    /// `blind` concerns.
    public func forEachRule(
        of instrument: InstrumentID, needing source: AlertSource, _ body: (RuleID) -> Void
    ) {
        guard let place = marketPlaces[instrument] else { return }
        let market = markets[Int(place)]
        var slots: Set<UInt32> = []
        for place in market.places where series[place].key.source == source {
            slots.formUnion(series[place].slots)
        }
        for watch in market.watches where watch.source == source { slots.insert(watch.slot) }
        for slot in slots.sorted() { body(table[slot].id) }
    }

    mutating func enter(
        _ rule: AlertRule, epoch: UInt32 = 0, at time: Timestamp, into output: inout [AlertOutput]
    ) {
        let (shape, level) = AlertEngine.shape(of: rule.condition.decision)
        var record = RuleRecord(
            id: rule.id, shape: shape, levelScale: level.scale.rawValue, levelUnits: level.units, options: 0,
            place: 0)
        record.epoch = epoch
        let key = shape == .watch ? nil : rule.condition.input.series(of: rule.instrument)
        if let key {
            record.place = UInt32(seriesPlace(key))
        } else if let subject = rule.subject {
            record.place = UInt32(market(subject).offset)
        }
        let slot = table.insert(record, RuleOptions(rule))
        if key != nil {
            if isLoading { gatherLevels(of: slot) } else { watchLevels(of: slot) }
            if rule.whenAlready { awaitFirst(slot, at: time, into: &output) }
        } else if let body = Watch.body(of: rule.condition) {
            markets[Int(record.place)].watches.append(Watch(slot: slot, body: body))
            markWatched(body, of: Int(record.place))
        }
        if let expires = rule.expires {
            awaitExpiry(rule.id, expires, rule.condition.source, rule.subject.map { market($0).offset })
        }
    }

    /// Takes a rule out of everything that is watched; it stays in the table.
    mutating func finish(_ slot: UInt32) {
        guard !table[slot].flags.contains(.done) else { return }
        let record = table[slot]
        if record.shape == .watch {
            let place = Int(record.place)
            if markets.indices.contains(place) { markets[place].watches.removeAll { $0.slot == slot } }
        } else {
            forEachLevel(of: slot) { series, level, tag, rises in
                series.remove(level, tag, rises: rises)
            }
            if record.flags.contains(.pending) { series[Int(record.place)].cancelWait(slot) }
            if record.flags.contains(.waiting) {
                series[Int(record.place)].waiting.removeAll { $0 == slot }
            }
        }
        forgetPace(slot)
        table[slot].flags.subtract([.pending, .waiting, .disarmed])
        table[slot].flags.insert(.done)
    }

    // MARK: - Levels

    /// The levels that a rule watches in its present state.
    func levels(of slot: UInt32) -> [(level: ExactValue, tag: LevelTag, rises: Bool)] {
        let record = table[slot]
        let fire = LevelTag(slot, .fire)
        let level = record.exactLevel
        var levels: [(level: ExactValue, tag: LevelTag, rises: Bool)] = []
        switch record.shape {
        case .above: levels.append((level, fire, true))
        case .below: levels.append((level, fire, false))
        case .either: levels += [(level, fire, true), (level, fire, false)]
        case .band:
            let low = table.options(of: slot).exactLow ?? level
            levels += [(level.next, fire, true), (low.before, fire, false)]
        case .watch: break
        }
        if record.flags.contains(.disarmed), let back = rearmLevel(of: slot) {
            levels.append((back.level, LevelTag(slot, .rearm), back.rises))
        }
        if record.flags.contains(.pending), let release = releaseLevel(of: slot) {
            levels.append((release.level, LevelTag(slot, .cancel), release.rises))
        }
        return levels
    }

    private mutating func forEachLevel(
        of slot: UInt32, _ body: (inout LevelSeries, ExactValue, LevelTag, Bool) -> Void
    ) {
        let place = Int(table[slot].place)
        for entry in levels(of: slot) { body(&series[place], entry.level, entry.tag, entry.rises) }
    }

    private mutating func gatherLevels(of slot: UInt32) {
        forEachLevel(of: slot) { series, level, tag, rises in series.gather(level, tag, rises: rises) }
    }

    mutating func watchLevels(of slot: UInt32) {
        forEachLevel(of: slot) { series, level, tag, rises in series.insert(level, tag, rises: rises) }
    }

    /// Where a rule that fired may fire again: its level less the hysteresis on the way back.
    func rearmLevel(of slot: UInt32) -> (level: ExactValue, rises: Bool)? {
        let record = table[slot]
        let options = table.options(of: slot)
        guard let hysteresis = options.hysteresis.map({ ExactValue($0) }) else { return nil }
        if record.flags.contains(.upwards) { return (record.exactLevel - hysteresis, false) }
        let edge = record.shape == .band ? options.exactLow ?? record.exactLevel : record.exactLevel
        return (edge + hysteresis, true)
    }

    /// Where a condition that holds ceases to hold.
    func releaseLevel(of slot: UInt32) -> (level: ExactValue, rises: Bool)? {
        let record = table[slot]
        let level = record.exactLevel
        if record.shape == .band {
            if record.flags.contains(.upwards) { return (level, false) }
            return (table.options(of: slot).exactLow ?? level, true)
        }
        return record.flags.contains(.upwards) ? (level.before, false) : (level.next, true)
    }

    private static func shape(of decision: ConditionDecision) -> (RuleShape, DecimalNumber) {
        switch decision {
        case .level(.above, let level): (.above, level)
        case .level(.below, let level): (.below, level)
        case .level(.either, let level): (.either, level)
        case .band(_, let high): (.band, high)
        case .change, .volume, .imbalance, .trade, .signal, .feed, .listing:
            (.watch, DecimalNumber(units: 0, scale: .zero))
        }
    }

    /// Makes sure that the prices that a watch looks at have a series.
    private mutating func markWatched(_ body: Watch.Body, of market: Int) {
        guard case .change(let watch) = body else { return }
        let place = seriesPlace(.price(markets[market].id, watch.condition.price))
        series[place].hasWatchers = true
    }
}
