import Instruments
import MarketData
import MarketState
import MarketStore
import Store

/// Reads the tape of an instrument and the candles that are stored of it, all at one instant.
///
/// A minute is taken from its stored candle when that is closed, complete and of as many trades as are
/// stored: candles hold only stored trades, so equal numbers mean the same trades. A venue's own candle
/// stands for its minute whatever is stored. Every other minute is made again from its trades. The span is
/// that of the week of the newest trade, of the day before it and of what is known to be missing, which holds
/// every candle that is still open and the last 24 hours.
struct ReadTape: Sendable {
    let id: InstrumentID
    /// Where something is known to be missing, if it is.
    let from: Timestamp?
    /// Trades at or after it are not believed.
    let until: Timestamp

    /// Reads in one transaction that changes nothing.
    func callAsFunction(_ database: Database) async throws(StoreError) -> StoredTape {
        var options = TransactionOptions.standard
        options.isolation = .repeatableRead
        options.isReadOnly = true
        options.statementTimeout = .seconds(120)
        return try await database.transaction(options) { session in try read(session) }
    }

    private func read(_ session: borrowing Session) throws(StoreError) -> StoredTape {
        var reading = StoredTape()
        guard let newest = try session.recentTrades(of: id, limit: 1, before: until).first?.venueTime else {
            return reading
        }
        reading.newest = newest
        let oldest = try session.trades(of: id, from: .init(nanoseconds: .min), to: until, limit: 1).first
        reading.oldest = oldest?.venueTime
        let span = ReadSpan(newest: newest, missing: from)
        reading.base = span.base
        reading.first = span.first
        reading.holes = try session.holes(of: id, endingAfter: span.first)
        let (first, yesterday) = (span.first, span.seconds)
        reading.oldestMade = try session.firstMadeMinute(of: id)
        try readRows(session, from: first, seconds: yesterday, into: &reading)
        try readMinutes(session, from: first, seconds: yesterday, into: &reading)
        try session.forEachTrade(of: id, from: reading.base, to: until) { reading.trades.append($0) }
        return reading
    }

    private func readRows(
        _ session: borrowing Session, from first: Timestamp, seconds: Timestamp,
        into reading: inout StoredTape
    ) throws(StoreError) {
        for interval in CandleInterval.allCases {
            let from = interval == .second ? seconds : first
            try session.forEachCandle(of: id, interval, from: from) { reading.rows[CandleKey($0)] = $0 }
        }
    }

    private func readMinutes(
        _ session: borrowing Session, from first: Timestamp, seconds yesterday: Timestamp,
        into reading: inout StoredTape
    ) throws(StoreError) {
        let counted = try session.tradeMinutes(of: id, from: first, to: reading.base)
        let sound = CompleteMinutes(counted, rows: reading.rows, base: reading.base, secondsFrom: yesterday)
        var minutes = sound.minutes
        var seconds = sound.seconds
        for run in sound.missing {
            // What is older than a day needs no seconds.
            var fine = CandleFold(.second)
            var coarse = CandleFold(.minute)
            try session.forEachTrade(of: id, from: run.from, to: run.to) { trade in
                coarse.add(trade)
                if trade.venueTime >= yesterday { fine.add(trade) }
            }
            minutes += coarse.candles
            seconds += fine.candles
            reading.overflows += coarse.overflows
        }
        minutes.removeAll { !$0.flags.contains(.fromVenue) && sound.ofVenue.contains($0.start) }
        reading.minutes = minutes.sorted { $0.start < $1.start }
        reading.seconds = seconds.sorted { $0.start < $1.start }
    }
}

/// What of a tape is read.
struct ReadSpan: Hashable, Sendable {
    /// Nanoseconds.
    private static let day: Int64 = 86_400_000_000_000
    /// Nanoseconds.
    private static let minute: Int64 = 60_000_000_000

    /// Minutes from here on; the beginning of a week.
    let first: Timestamp
    /// Seconds from here on; the beginning of a minute, at most two days before the newest trade.
    let seconds: Timestamp
    /// Trades from here on; the beginning of the minute before that of the newest trade.
    let base: Timestamp

    init(newest: Timestamp, missing: Timestamp?) {
        let yesterday = newest.adding(nanoseconds: -Self.day)
        let wanted = min(yesterday, missing ?? yesterday)
        first = CandleInterval.week.start(of: wanted)
        seconds = CandleInterval.minute.start(of: max(wanted, yesterday.adding(nanoseconds: -Self.day)))
        base = CandleInterval.minute.start(of: newest).adding(nanoseconds: -Self.minute)
    }
}

/// Which minutes can be had from stored candles, and which must be made of trades.
struct CompleteMinutes: Sendable {
    private(set) var minutes: [Candle] = []
    private(set) var seconds: [Candle] = []
    /// Spans of minutes next to each other, the end excluded.
    private(set) var missing: [(from: Timestamp, to: Timestamp)] = []
    /// Minutes that are the venue's own: what their trades add up to is less.
    private(set) var ofVenue: Set<Timestamp> = []

    init(
        _ counted: [TradeMinute], rows: [CandleKey: CandleRow], base: Timestamp, secondsFrom: Timestamp
    ) {
        var parts: [Timestamp: [Candle]] = [:]
        var counts: [Timestamp: Int64] = [:]
        // tidy: unordered-iteration Whoever reads the minutes and seconds sorts them.
        for row in rows.values where row.interval == .second && row.start < base {
            guard let candle = row.candle else { continue }
            let minute = CandleInterval.minute.start(of: row.start)
            parts[minute, default: []].append(candle)
            counts[minute, default: 0] += row.tradeCount
        }
        var known: Set<Timestamp> = []
        for minute in counted {
            known.insert(minute.start)
            let row = rows[CandleKey(.minute, minute.start)]
            let hasSeconds = minute.start < secondsFrom || counts[minute.start] == minute.count
            let stored = row.flatMap { $0.stands(for: minute.count) ? $0.candle : nil }
            if let stored, stored.flags.contains(.fromVenue) {
                minutes.append(stored)
                ofVenue.insert(minute.start)
            }
            if let stored, hasSeconds {
                if !stored.flags.contains(.fromVenue) { minutes.append(stored) }
                seconds += parts[minute.start] ?? []
            } else if let last = missing.last, last.to == minute.start {
                missing[missing.count - 1].to = CandleInterval.minute.end(from: minute.start)
            } else {
                missing.append((minute.start, CandleInterval.minute.end(from: minute.start)))
            }
        }
        // Trades may be gone that the candle was made of.
        // tidy: unordered-iteration As above.
        for row in rows.values where row.interval == .minute && row.start < base && !known.contains(row.start)
        {
            guard row.flags.contains(.closed), let candle = row.candle else { continue }
            minutes.append(candle)
            seconds += parts[row.start] ?? []
        }
    }
}

extension CandleRow {
    /// Whether it holds so many stored trades of its span, or is the venue's own, and is over.
    fileprivate func stands(for count: Int64) -> Bool {
        flags.contains(.closed) && !flags.contains(.incomplete)
            && (tradeCount == count || flags.contains(.fromVenue))
    }
}
