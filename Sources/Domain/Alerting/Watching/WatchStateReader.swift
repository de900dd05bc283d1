import Instruments
import Statistics

/// Numbers that a watch kept, read from the first to the last.
struct WatchStateReader {
    private var numbers: ArraySlice<Int64>

    init(_ numbers: [Int64]) { self.numbers = numbers[...] }

    var isEmpty: Bool { numbers.isEmpty }

    mutating func next() -> Int64? { numbers.popFirst() }

    /// What ``parts(of:)`` made two of.
    mutating func wide() -> Int128? {
        guard let high = next(), let low = next() else { return nil }
        return Int128(high) << 64 | Int128(UInt64(bitPattern: low))
    }

    static func parts(of number: Int128) -> [Int64] {
        [Int64(truncatingIfNeeded: number >> 64), Int64(truncatingIfNeeded: number)]
    }

    mutating func count(upTo limit: Int) -> Int? {
        guard let next = next(), next >= 0, next <= limit else { return nil }
        return Int(next)
    }

    mutating func flag() -> Bool? { count(upTo: 1).map { $0 == 1 } }

    /// A number whose distance to any other like it does not overflow.
    mutating func place() -> Int64? {
        guard let next = next(), next.magnitude <= UInt64(Int64.max / 4) else { return nil }
        return next
    }
}

extension Watch.Body {
    /// What it remembers besides its condition; empty for nothing.
    var kept: [Int64] {
        switch self {
        case .change(let watch): watch.kept
        case .volume(let watch): watch.kept
        case .imbalance(let watch): watch.kept
        case .indicator(_, let signal): signal.kept.map { Int64(bitPattern: $0) }
        case .trade, .feed, .listing: []
        }
    }

    /// Goes on from what one of the same condition remembered; unchanged when the numbers cannot be that.
    mutating func takeOver(_ kept: [Int64]) {
        switch self {
        case .change(var watch):
            if watch.takeOver(kept) { self = .change(watch) }
        case .volume(var watch):
            if watch.takeOver(kept) { self = .volume(watch) }
        case .imbalance(var watch):
            if watch.takeOver(kept) { self = .imbalance(watch) }
        case .indicator(let interval, var signal):
            if signal.takeOver(kept.map { UInt64(bitPattern: $0) }) {
                self = .indicator(interval: interval, signal)
            }
        case .trade, .feed, .listing: break
        }
    }
}
