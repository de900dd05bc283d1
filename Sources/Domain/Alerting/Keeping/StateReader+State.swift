import Instruments

extension StateReader {
    /// Reads a whole state.
    mutating func state() throws(EngineStateFault) -> EngineState {
        var state = EngineState()
        state.rules = try list { (reader) throws(EngineStateFault) in try reader.rule() }
        state.series = try list { (reader) throws(EngineStateFault) in
            EngineState.Series(
                key: try reader.key(), value: try reader.decimal(), wide: try reader.wide(),
                time: try reader.time())
        }
        state.feeds = try list { (reader) throws(EngineStateFault) in try reader.feed() }
        state.journal = try list { (reader) throws(EngineStateFault) in
            EngineState.Line(rule: try reader.ruleID(), evaluation: try reader.evaluation())
        }
        state.tapes = try list { (reader) throws(EngineStateFault) in try reader.tape() }
        guard version > 3 else { return state }
        state.paces = try list { (reader) throws(EngineStateFault) in
            EngineState.Pace(rule: try reader.ruleID(), pace: try reader.pace())
        }
        return state
    }

    private mutating func pace() throws(EngineStateFault) -> FiringPace {
        let times = try list { (reader) throws(EngineStateFault) in try reader.time() }
        let quiet = try optional { (reader) throws(EngineStateFault) in try reader.quietPeriod() }
        return FiringPace(times: times.sorted(), quiet: quiet)
    }

    private mutating func quietPeriod() throws(EngineStateFault) -> QuietPeriod {
        let (since, until) = (try time(), try time())
        let (limit, leftOut) = (Int(try number(Int64.self)), try number(Int64.self))
        guard limit > 0, (0..<Int64.max / 2).contains(leftOut) else { throw fault("a quiet period") }
        return QuietPeriod(since: since, until: until, limit: limit, leftOut: leftOut)
    }

    private mutating func wide() throws(EngineStateFault) -> Int128? {
        guard version > 2 else { return nil }
        return try optional { (reader) throws(EngineStateFault) in try reader.number(Int128.self) }
    }

    private mutating func rule() throws(EngineStateFault) -> EngineState.Rule {
        var rule = EngineState.Rule(id: try ruleID())
        rule.isDone = try flag()
        rule.firings = try number(UInt32.self)
        rule.lastFired = try optional { (reader) throws(EngineStateFault) in try reader.time() }
        rule.isDisarmed = try flag()
        rule.isUpwards = try flag()
        rule.deadline = try optional { (reader) throws(EngineStateFault) in try reader.time() }
        rule.isWaiting = try flag()
        rule.watch = try list { (reader) throws(EngineStateFault) in try reader.number(Int64.self) }
        return rule
    }

    private mutating func feed() throws(EngineStateFault) -> EngineState.Feed {
        let id = try instrument()
        guard let source = AlertSource(rawValue: try number(UInt8.self)) else { throw fault("a source") }
        return EngineState.Feed(
            instrument: id, source: source, isProven: try flag(),
            blindSince: try optional { (reader) throws(EngineStateFault) in try reader.time() },
            isTold: try flag(), reason: try text())
    }

    private mutating func tape() throws(EngineStateFault) -> EngineState.Tape {
        var tape = EngineState.Tape(
            instrument: try instrument(), time: try time(),
            ids: try list { (reader) throws(EngineStateFault) in try reader.text() })
        let closes = try list { (reader) throws(EngineStateFault) in
            (try reader.number(Int64.self), try reader.time())
        }
        tape.closes = Dictionary(closes) { _, last in last }
        return tape
    }

    private mutating func evaluation() throws(EngineStateFault) -> Evaluation {
        Evaluation(
            venueTime: try time(), receivedTime: try time(), sequence: try number(UInt64.self),
            tradeID: version > 1
                ? try optional { (reader) throws(EngineStateFault) in try reader.text() } : nil,
            lateBy: version > 1 ? try number(Int64.self) : 0,
            price: try optional { (reader) throws(EngineStateFault) in try reader.decimal() },
            previous: try optional { (reader) throws(EngineStateFault) in try reader.decimal() },
            outcome: try outcome())
    }

    private mutating func outcome() throws(EngineStateFault) -> EvaluationOutcome {
        switch try number(UInt8.self) {
        case 0: return .fired
        case 1: return .cooling(until: try time())
        case 2: return .disarmed
        case 3: return .rearmed
        case 4: return .inactive
        case 5: return .holding(until: try time())
        case 6: return .released
        case 7: return .wasOutside
        case 8: return .expired
        case 9: return .quieted(until: try time())
        default: throw fault("an outcome")
        }
    }

    private mutating func ruleID() throws(EngineStateFault) -> RuleID {
        guard let id = RuleID(try text()) else { throw fault("a rule's id") }
        return id
    }

    private mutating func instrument() throws(EngineStateFault) -> InstrumentID {
        InstrumentID(venue: Venue(rawValue: try text()), symbol: try text())
    }

    private mutating func key() throws(EngineStateFault) -> SeriesKey {
        switch try number(UInt8.self) {
        case 0: return .price(try instrument(), try name(PriceKind.self))
        case 1: return .spread(try instrument())
        case 2: return .close(try instrument(), interval: try number(Int64.self))
        case 3: return .portfolio(id: try text(), try name(PortfolioMetric.self))
        case 4: return .derivative(try instrument(), try name(DerivativeMeasure.self))
        default: throw fault("a kind of series")
        }
    }
}
