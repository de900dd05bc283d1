import Instruments

extension StateWriter {
    /// Appends a whole state.
    mutating func write(_ state: EngineState) {
        list(state.rules) { $0.write($1) }
        list(state.series) { writer, series in
            writer.key(series.key)
            writer.decimal(series.value)
            writer.optional(series.wide) { $0.number($1) }
            writer.time(series.time)
        }
        list(state.feeds) { writer, feed in
            writer.instrument(feed.instrument)
            writer.number(feed.source.rawValue)
            writer.flag(feed.isProven)
            writer.optional(feed.blindSince) { $0.time($1) }
            writer.flag(feed.isTold)
            writer.text(feed.reason)
        }
        list(state.journal) { writer, line in
            writer.rule(line.rule)
            writer.write(line.evaluation)
        }
        list(state.tapes) { writer, tape in
            writer.instrument(tape.instrument)
            writer.time(tape.time)
            writer.list(tape.ids) { $0.text($1) }
            writer.list(tape.closes.sorted { $0.key < $1.key }) { writer, close in
                writer.number(close.key)
                writer.time(close.value)
            }
        }
        list(state.paces) { writer, pace in
            writer.rule(pace.rule)
            writer.write(pace.pace)
        }
    }

    private mutating func write(_ pace: FiringPace) {
        list(pace.times) { $0.time($1) }
        optional(pace.quiet) { writer, period in
            writer.time(period.since)
            writer.time(period.until)
            writer.number(Int64(period.limit))
            writer.number(period.leftOut)
        }
    }

    private mutating func write(_ rule: EngineState.Rule) {
        self.rule(rule.id)
        flag(rule.isDone)
        number(rule.firings)
        optional(rule.lastFired) { $0.time($1) }
        flag(rule.isDisarmed)
        flag(rule.isUpwards)
        optional(rule.deadline) { $0.time($1) }
        flag(rule.isWaiting)
        list(rule.watch) { $0.number($1) }
    }

    private mutating func write(_ evaluation: Evaluation) {
        time(evaluation.venueTime)
        time(evaluation.receivedTime)
        number(evaluation.sequence)
        optional(evaluation.tradeID) { $0.text($1) }
        number(evaluation.lateBy)
        optional(evaluation.price) { $0.decimal($1) }
        optional(evaluation.previous) { $0.decimal($1) }
        switch evaluation.outcome {
        case .fired: number(UInt8(0))
        case .cooling(let until):
            number(UInt8(1))
            time(until)
        case .disarmed: number(UInt8(2))
        case .rearmed: number(UInt8(3))
        case .inactive: number(UInt8(4))
        case .holding(let until):
            number(UInt8(5))
            time(until)
        case .released: number(UInt8(6))
        case .wasOutside: number(UInt8(7))
        case .expired: number(UInt8(8))
        case .quieted(let until):
            number(UInt8(9))
            time(until)
        }
    }

    private mutating func rule(_ id: RuleID) { text(id.description) }

    private mutating func instrument(_ id: InstrumentID) {
        text(id.venue.rawValue)
        text(id.symbol)
    }

    private mutating func key(_ key: SeriesKey) {
        switch key {
        case .price(let id, let kind):
            number(UInt8(0))
            instrument(id)
            text(kind.rawValue)
        case .spread(let id):
            number(UInt8(1))
            instrument(id)
        case .close(let id, let interval):
            number(UInt8(2))
            instrument(id)
            number(interval)
        case .portfolio(let id, let metric):
            number(UInt8(3))
            text(id)
            text(metric.rawValue)
        case .derivative(let id, let measure):
            number(UInt8(4))
            instrument(id)
            text(measure.rawValue)
        }
    }
}
