import Crypto
import Instruments
import MarketData
import Venues

/// Counts what a recording gave, and proves every top of book with a hash.
struct SummaryCount {
    struct InstrumentCount {
        var updates = 0
        var snapshots = 0
        var gaps = 0
        var tops = SHA256()
    }

    private(set) var trades = 0
    private(set) var tickers = 0
    private(set) var candles = 0
    /// By the offset of the instrument.
    private(set) var instruments: [InstrumentCount] = []
    private var line: [UInt8] = []

    mutating func add(_ event: MarketEvent) {
        switch event {
        case .book(let book): add(book)
        case .state(let index, let change):
            // Both mean that a message is missing: by its number, or by what a later one refers to.
            guard change.reason == .sequenceGap || change.reason == .unknownLevel else { return }
            reach(index)
            instruments[index.offset].gaps += 1
        case .trade: trades += 1
        case .ticker: tickers += 1
        case .candle: candles += 1
        case .mark, .derivative, .liquidation, .instrument: break
        }
    }

    private mutating func add(_ event: BookEvent) {
        reach(event.instrument)
        let offset = event.instrument.offset
        instruments[offset].updates += 1
        if event.isSnapshot { instruments[offset].snapshots += 1 }
        guard let bid = event.summary.bid, let ask = event.summary.ask else { return }
        line.removeAll(keepingCapacity: true)
        append(bid, event, ends: 0x3A)
        append(ask, event, ends: 0x0A)
        instruments[offset].tops.update(data: line)
    }

    /// Plain decimals without trailing zeros: the same bytes whatever scale a venue's numbers came at.
    private mutating func append(_ level: BookLevel, _ event: BookEvent, ends end: UInt8) {
        let price = level.price.decimal(event.priceScale).normalized
        let size = level.size.decimal(event.sizeScale).normalized
        DecimalText.append(units: price.units, scale: price.scale, to: &line)
        line.append(0x3A)
        DecimalText.append(units: size.units, scale: size.scale, to: &line)
        line.append(end)
    }

    private mutating func reach(_ index: InstrumentIndex) {
        while instruments.count <= index.offset { instruments.append(InstrumentCount()) }
    }
}
