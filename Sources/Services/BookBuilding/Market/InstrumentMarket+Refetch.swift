import Instruments
import MarketState
import MarketStore

extension InstrumentMarket {
    /// What the venue is to be asked for now, if anything.
    mutating func beginMending(at now: Timestamp) -> CandleRefetch.Question? {
        // What is about to be read may mend longer candles.
        guard phase == .following, !tape.isReading, !tape.needsReading else { return nil }
        return mending.next(at: now)
    }

    /// What the venue said; `nil` when it could not be asked.
    ///
    /// Its candles take the place of those that were made of too few trades, and are told and stored as
    /// amended.
    mutating func mend(with candles: [Candle]?, to question: CandleRefetch.Question, at now: Timestamp) {
        let found = mending.take(candles, to: question, at: now)
        guard phase == .following else { return }
        for candle in found { replace(candle) }
        // Longer candles can be made of its minutes, which takes what is stored.
        if !found.isEmpty, question.interval == .minute, !mending.isWaiting(for: .minute) { tape.doubt() }
    }

    private mutating func replace(_ candle: Candle) {
        var candle = candle.completed(
            by: aggregator.candles(candle.interval).last { $0.start == candle.start })
        candle.flags.insert(.amended)
        if !aggregator.replace(candle) { note(candle) }
    }

    /// Puts what the venue gave into a reading that was made before it was stored.
    mutating func insist(_ reading: inout StoredTape) {
        for (key, candle) in mending.given {
            if reading.rows[key]?.isOfVenue == true {
                mending.settle(key)
                continue
            }
            var candle = candle.completed(by: reading.rows[key]?.candle)
            candle.flags.insert(.amended)
            note(candle)
            reading.rows[key] = CandleRow(candle)
            guard key.interval == .minute, key.start < reading.base else { continue }
            reading.minutes.removeAll { $0.start == key.start }
            let place = reading.minutes.firstIndex { $0.start > key.start } ?? reading.minutes.endIndex
            reading.minutes.insert(candle, at: place)
        }
    }

    /// Has the venue's own candles stand where the newest trades would make them anew.
    mutating func restoreMended(_ reading: StoredTape) {
        let rows = reading.rows.values.filter { row in
            row.isOfVenue && row.flags.contains(.closed)
                && row.interval.end(from: row.start) > reading.base
        }.sorted { ($0.start, $0.interval) < ($1.start, $1.interval) }
        for row in rows {
            if let candle = row.candle { aggregator.restore(candle) }
        }
    }

    /// Wants every candle that a hole touches, those without a trade, too.
    mutating func mendHoles(_ reading: StoredTape) {
        guard let newest = reading.newest else { return }
        for interval in CandleInterval.allCases where mending.intervals.contains(interval) {
            for start in holes.starts(of: interval, from: reading.first) {
                let key = CandleKey(interval, start)
                guard interval.end(from: start) <= newest, reading.rows[key]?.isOfVenue != true else {
                    continue
                }
                mending.want(key)
            }
        }
    }
}

extension Candle {
    /// Whether it is over, and made of too few trades.
    var lacksTrades: Bool {
        flags.contains(.closed) && flags.contains(.incomplete) && !flags.contains(.fromVenue)
    }
}

extension CandleRow {
    /// Whether it is the venue's own, or made of candles that are.
    var isOfVenue: Bool { flags.contains(.fromVenue) && !flags.contains(.incomplete) }
}
