import Instruments
import MarketData

/// A row that is being read.
struct TickerDraft {
    var symbol: String?
    var last: DecimalNumber?
    private var bid: DecimalNumber?
    private var ask: DecimalNumber?
    private var open: DecimalNumber?
    private var high: DecimalNumber?
    private var low: DecimalNumber?
    private var baseVolume: Amount?
    private var quoteVolume: Amount?
    private var change: DecimalNumber?
    private var changePercent: DecimalNumber?
    private var time: Timestamp?
    private var isAlias = false

    /// Reads the value of a field.
    mutating func take(_ field: TickerField, _ scanner: inout JSONScanner) throws(ScanError) {
        switch field {
        case .symbol: symbol = scanner.string(try scanner.text())
        case .last: last = try scanner.price()
        case .bid: bid = try scanner.price()
        case .ask: ask = try scanner.price()
        case .open: open = try scanner.price()
        case .high: high = try scanner.price()
        case .low: low = try scanner.price()
        case .baseVolume: baseVolume = try scanner.volumeIfAny()
        case .quoteVolume: quoteVolume = try scanner.volumeIfAny()
        case .change: change = try scanner.anyDecimal()
        case .changePercent: changePercent = try scanner.anyDecimal()
        case .changeRatio: changePercent = try scanner.anyDecimal()?.times100()
        case .time: time = try scanner.venueTime()
        case .alias: isAlias = try scanner.textIfAny().map { $0.count > 0 } ?? false
        }
    }

    /// The row; `nil` without a price.
    func ticker(prefix: String = "") throws(ScanError) -> MarketTicker? {
        guard let symbol, !symbol.isEmpty else { throw .malformed }
        guard let last, !isAlias else { return nil }
        var ticker = MarketTicker(symbol: prefix + symbol, last: last)
        (ticker.bid, ticker.ask) = (bid, ask)
        (ticker.open, ticker.high, ticker.low) = (open ?? before(last), high, low)
        (ticker.baseVolume, ticker.quoteVolume) = (baseVolume, quoteVolume)
        if ticker.open == nil { ticker.changePercent = changePercent?.normalized }
        ticker.venueTime = time
        return ticker
    }

    /// What `last` was before it changed.
    private func before(_ last: DecimalNumber) -> DecimalNumber? {
        guard let change else { return nil }
        let scale = max(last.scale, change.scale)
        guard let now = try? last.rescaled(to: scale), let step = try? change.rescaled(to: scale) else {
            return nil
        }
        let (units, overflow) = now.units.subtractingReportingOverflow(step.units)
        return overflow || units <= 0 ? nil : DecimalNumber(units: units, scale: scale).normalized
    }
}

extension DecimalNumber {
    /// A hundred times as much; `nil` where that does not fit.
    fileprivate func times100() -> DecimalNumber? {
        let exact = normalized
        if let scale = Scale(exact.scale.places - 2) {
            return DecimalNumber(units: exact.units, scale: scale)
        }
        let factor: Int64 = exact.scale.places == 0 ? 100 : 10
        let (units, overflow) = exact.units.multipliedReportingOverflow(by: factor)
        return overflow ? nil : DecimalNumber(units: units, scale: .zero)
    }
}
