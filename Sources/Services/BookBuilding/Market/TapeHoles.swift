import Instruments
import MarketData
import MarketState
import MarketStore

/// What is missing of an instrument's tape for good, and which candles that touches.
struct TapeHoles: Sendable {
    /// Spans, both ends included, earliest first: in each something is missing between its ends.
    private(set) var spans: [ClosedRange<Timestamp>] = []
    /// Whether the end of the last one is not known yet.
    private(set) var isOpen = false
    /// Minutes that something is missing of, and that the venue's own candles do not stand for.
    private var minutes: [Timestamp] = []

    init() {}

    /// - Parameter reading: With the candles as they are stored.
    init(_ reading: StoredTape) {
        for hole in reading.holes {
            let end = hole.until ?? max(hole.after, reading.newest ?? hole.after)
            spans.append(hole.after...max(hole.after, end))
            isOpen = isOpen || hole.until == nil
        }
        let touched = Set(starts(of: .minute, from: reading.first)).filter { start in
            reading.rows[CandleKey(.minute, start)]?.flags.contains(.fromVenue) != true
        }
        minutes = touched.sorted()
    }

    /// Whether something at or after an instant is missing.
    func reach(past time: Timestamp) -> Bool { isOpen || spans.contains { $0.upperBound > time } }

    /// Whether trades of a closed candle are missing that no minute of the venue stands for.
    func touch(_ candle: Candle) -> Bool {
        if spans.isEmpty { return false }
        if candle.interval == .second { return spans.contains { candle.touches($0) } }
        var places = 0..<minutes.count
        while !places.isEmpty {
            let middle = places.lowerBound + places.count / 2
            places =
                minutes[middle] < candle.start ? middle + 1..<places.upperBound : places.lowerBound..<middle
        }
        return places.lowerBound < minutes.count && minutes[places.lowerBound] < candle.end
    }

    /// The first instants of the candles of a length that are touched, earliest first for each hole; of
    /// seconds only those of holes of up to an hour.
    func starts(of interval: CandleInterval, from first: Timestamp) -> [Timestamp] {
        var starts: [Timestamp] = []
        for span in spans where span.upperBound >= first {
            let length = span.upperBound.nanoseconds(since: span.lowerBound)
            if interval == .second, length > CandleInterval.hour.nanoseconds { continue }
            var start = interval.start(of: max(span.lowerBound, first))
            while start <= span.upperBound {
                starts.append(start)
                start = interval.end(from: start)
            }
        }
        return starts
    }
}

extension Candle {
    fileprivate func touches(_ span: ClosedRange<Timestamp>) -> Bool {
        start <= span.upperBound && end > span.lowerBound
    }
}
