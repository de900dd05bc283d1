package import Instruments
package import MarketData
import Store

/// Trades of any instruments in the order of their arrival, laid out as PostgreSQL takes them.
package struct TradeBatch: Sendable {
    /// A batch of live trades has one or two days, a long backfill a few.
    private static let maximumDays = 400

    private(set) var instruments: [InstrumentID] = []
    private var numbers: [InstrumentID: Int32] = [:]
    /// Number of the instrument in `instruments`, from 1.
    private(set) var instrument: [Int32] = []
    private(set) var id: [String] = []
    private(set) var side: [Int16] = []
    private(set) var price: [Int64] = []
    private(set) var size: [Int64] = []
    private(set) var priceScale: [Int16] = []
    private(set) var sizeScale: [Int16] = []
    private(set) var venueTime: [Int64] = []
    private(set) var receivedTime: [Int64] = []
    private(set) var isAggregate: [Bool] = []
    private(set) var isBackfill: [Bool] = []
    private(set) var last: [StoredTrades] = []
    private(set) var days: Set<Int32> = []

    package init() {}

    /// Number of trades.
    package var count: Int { id.count }
    /// True when there is nothing to store.
    package var isEmpty: Bool { id.isEmpty }

    /// Adds a trade after all others.
    package mutating func append(_ trade: Trade, of instrumentID: InstrumentID) {
        let number = number(of: instrumentID, first: trade)
        instrument.append(number)
        id.append(trade.id)
        side.append(Int16(trade.side.rawValue))
        price.append(trade.price.rawValue)
        size.append(trade.size.rawValue)
        priceScale.append(Int16(trade.priceScale.places))
        sizeScale.append(Int16(trade.sizeScale.places))
        venueTime.append(trade.venueTime.nanoseconds)
        receivedTime.append(trade.receivedTime.nanoseconds)
        isAggregate.append(trade.isAggregate)
        isBackfill.append(trade.isBackfill)
        days.insert(Self.day(of: trade.venueTime))
        last[Int(number) - 1].note(trade)
    }

    /// Removes all trades and keeps the memory.
    package mutating func removeAll(keepingCapacity: Bool = true) {
        guard keepingCapacity else {
            self = TradeBatch()
            return
        }
        instruments.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        instrument.removeAll(keepingCapacity: true)
        id.removeAll(keepingCapacity: true)
        side.removeAll(keepingCapacity: true)
        price.removeAll(keepingCapacity: true)
        size.removeAll(keepingCapacity: true)
        priceScale.removeAll(keepingCapacity: true)
        sizeScale.removeAll(keepingCapacity: true)
        venueTime.removeAll(keepingCapacity: true)
        receivedTime.removeAll(keepingCapacity: true)
        isAggregate.removeAll(keepingCapacity: true)
        isBackfill.removeAll(keepingCapacity: true)
        last.removeAll(keepingCapacity: true)
        days.removeAll(keepingCapacity: true)
    }

    /// - Throws: ``StoreError/body(_:)`` when it spans more days than partitions are made for at once.
    func checkDays() throws(StoreError) {
        let limit = Self.maximumDays
        guard days.count > limit else { return }
        throw .body(MarketStoreError.tooManyDays(found: days.count, limit: limit))
    }

    private mutating func number(of instrumentID: InstrumentID, first trade: Trade) -> Int32 {
        if let number = numbers[instrumentID] { return number }
        instruments.append(instrumentID)
        last.append(StoredTrades(instrument: instrumentID, first: trade))
        let number = Int32(clamping: instruments.count)
        numbers[instrumentID] = number
        return number
    }

    /// Days since 1970-01-01 UTC.
    static func day(of time: Timestamp) -> Int32 {
        let (quotient, remainder) = time.nanoseconds.quotientAndRemainder(dividingBy: 86_400_000_000_000)
        return Int32(remainder < 0 ? quotient - 1 : quotient)
    }
}
