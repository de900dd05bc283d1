import Instruments
import MarketData
import MarketState
import MarketStore

extension InstrumentMarket {
    /// Begins anew from what is stored, with the live trades that are not stored yet on top.
    ///
    /// What is stored otherwise than its trades say is told and stored again. A reading that was begun before
    /// the lease went and came back is passed over: what came after it may be neither in it nor live.
    mutating func adopt(_ reading: StoredTape, of number: UInt64) {
        guard phase != .idle, tape.isReading, number == self.reading else { return }
        var reading = reading
        counts.lost &+= UInt64(tape.settle(reading.trades, newest: reading.newest))
        aggregator = CandleAggregator(CandleAggregatorConfiguration(identities: Self.identities))
        unstored.removeAll()
        readFrom = nil
        phase = .following
        mending.restart()
        insist(&reading)
        holes = TapeHoles(reading)
        restore(reading)
        knownFrom = nil
        if let time = reading.knownFrom { know(from: time) }
        for span in holes.spans { aggregator.markGap(from: span.lowerBound, to: span.upperBound) }
        for trade in reading.trades { _ = apply(trade) }
        var made: [Candle] = []
        aggregator.drain { made.append($0) }
        for candle in made { noteIfNew(candle, reading) }
        restoreMended(reading)
        mendHoles(reading)
        if let first = tape.pending.first, knownFrom == nil { know(from: first.venueTime) }
        let pending = tape.pending
        let taken = pending.map { apply($0) == .whole }
        tape.keep(taken)
        for (trade, isTaken) in zip(pending, taken) where !isTaken { miss(trade.venueTime) }
        tape.resume()
    }

    private mutating func restore(_ reading: StoredTape) {
        let limits = CandleAggregatorConfiguration().amendable
        for interval in CandleInterval.allCases {
            let made: [Candle]
            switch interval {
            case .second: made = reading.seconds
            case .minute: made = reading.minutes
            default:
                // Minutes whose sum no candle holds make none, as if they were not stored.
                let rolled = try? CandleRollup.roll(reading.minutes, into: interval, closedAt: reading.base)
                made = rolled ?? []
            }
            let candles = made.map { marked($0, reading) }
            for candle in candles where candle.flags.contains(.closed) { noteIfNew(candle, reading) }
            // One more than is kept, so that what is before them is out of reach.
            for candle in candles.suffix(limits[interval.rank] + 2) { aggregator.restore(candle) }
        }
        aggregator.forget(before: reading.base)
        restoreDay(reading)
    }

    private mutating func restoreDay(_ reading: StoredTape) {
        day = nil
        guard let sums = reading.seconds.last?.sums ?? reading.minutes.last?.sums else { return }
        guard let price = Scale(rawValue: sums.pricePlaces), let size = Scale(rawValue: sums.sizePlaces)
        else { return }
        var day = RollingDay(priceScale: price, sizeScale: size)
        let first = reading.seconds.first?.start ?? reading.base
        // A number that does not fit is told of by the candles.
        // The venue's own candles are not of stored trades.
        let prior = reading.minutes.last { $0.end <= first && !$0.flags.contains(.fromVenue) }
        if let prior { try? day.restore(prior) }
        for second in reading.seconds where !second.flags.contains(.flat) { try? day.restore(second) }
        self.day = day
    }

    /// The candle with what is known to be missing of it.
    private func marked(_ candle: Candle, _ reading: StoredTape) -> Candle {
        var candle = candle
        if !candle.flags.contains(.closed), candle.flags.contains(.fromVenue) {
            // It goes on with trades. What it ends as, the venue will be asked for.
            candle.flags.remove(.fromVenue)
            candle.flags.insert(.incomplete)
        }
        let isWhole = candle.interval.rank <= 1 && candle.flags.contains(.fromVenue)
        if isWhole { return candle }
        let isCut =
            candle.interval.rank <= 1
            ? reading.knownFrom.map { candle.start < $0 && $0 < candle.end } ?? false
            : reading.lacksMinutes(candle)
        if isCut || holes.touch(candle) {
            candle.flags.remove(.fromVenue)
            candle.flags.insert(.incomplete)
        }
        return candle
    }

    /// Tells and stores a closed candle unless it is stored like this, or better.
    private mutating func noteIfNew(_ candle: Candle, _ reading: StoredTape) {
        guard candle.flags.contains(.closed), let stored = reading.rows[CandleKey(candle)] else {
            if candle.lacksTrades { mending.want(CandleKey(candle)) }
            return note(candle)
        }
        // What the venue says stays; and trades may be gone that a stored candle was made of.
        let isOlder = reading.oldest.map { candle.start < $0 } ?? true
        if stored.isOfVenue || isOlder && stored.tradeCount > candle.sums.count { return }
        if candle.lacksTrades { mending.want(CandleKey(candle)) }
        if let row = CandleRow(candle), row.says(the: stored) { return }
        var candle = candle
        if stored.flags.contains(.closed) { candle.flags.insert(.amended) }
        note(candle)
    }
}
