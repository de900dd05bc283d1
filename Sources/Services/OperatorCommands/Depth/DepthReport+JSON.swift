import Instruments
import JSON
import MarketData

extension DepthReport {
    /// The report as one object; decimals are strings, unknown values null.
    func write(to line: inout JSONWriter) {
        line.beginObject()
        line.key("venue")
        line.string(view.instrument.venue.rawValue)
        line.key("symbol")
        line.string(view.instrument.symbol)
        line.key("state")
        line.string(view.state.name)
        line.key("reason")
        line.string(view.reason.name)
        line.key("sequence")
        if let position = view.position { line.integer(position.sequence) } else { line.null() }
        for (name, value) in [
            ("spread", spread), ("spread_basis_points", spreadInBasisPoints),
            ("spread_ticks", spreadInTicks), ("mid", mid), ("micro_price", microPrice),
            ("imbalance", imbalance),
        ] {
            line.key(name)
            line.string(value)
        }
        line.key("within_basis_points")
        line.integer(question.distance)
        write("bids", bids, to: &line)
        write("asks", asks, to: &line)
        write("sell", bids.fill, to: &line)
        write("buy", asks.fill, to: &line)
        line.endObject()
        line.endLine()
    }

    private func write(_ name: String, _ side: Side, to line: inout JSONWriter) {
        line.key(name)
        line.beginObject()
        line.key("within")
        if let near = side.near {
            line.beginObject()
            line.key("levels")
            line.integer(near.levels)
            line.key("size")
            line.string(near.size)
            line.key("value")
            line.string(near.value)
            line.endObject()
        } else {
            line.null()
        }
        write("levels", side.levels, to: &line)
        write("largest", side.largest, to: &line)
        line.endObject()
    }

    private func write(_ name: String, _ levels: [(price: String, size: String)], to line: inout JSONWriter) {
        line.key(name)
        line.beginArray()
        for level in levels {
            line.beginArray()
            line.string(level.price)
            line.string(level.size)
            line.endArray()
        }
        line.endArray()
    }

    private func write(_ name: String, _ fill: Fill?, to line: inout JSONWriter) {
        line.key(name)
        guard let fill else { return line.null() }
        line.beginObject()
        line.key("complete")
        line.bool(fill.isComplete)
        line.key("levels")
        line.integer(fill.levels)
        for (name, value) in [
            ("quantity", fill.quantity), ("average_price", fill.averagePrice),
            ("worst_price", fill.worstPrice), ("slippage_basis_points", fill.slippage),
        ] {
            line.key(name)
            line.string(value)
        }
        line.endObject()
    }
}
