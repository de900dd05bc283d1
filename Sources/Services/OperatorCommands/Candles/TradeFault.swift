import Recordings

/// What is wrong with a line of a file of trades.
enum TradeFault: Error, Equatable {
    /// The header of a CSV file.
    case header(String)
    /// The line as a whole.
    case line(String)
    /// The line says what is missing of the file.
    case incomplete(String)
    /// A field that every trade has.
    case missing(TradeColumn)
    /// A field with a value that cannot be read.
    case field(TradeColumn, value: String, accepted: String)

    /// Whether it concerns one trade, so that the others can be read.
    var isOfTrade: Bool {
        if case .header = self { false } else { true }
    }

    /// One clause for a person.
    var text: String {
        switch self {
        case .header(let text): text
        case .line(let text): "the line \(text)"
        case .incomplete(let words): "the line \(InputFaults.refusal(ofIncomplete: words))"
        case .missing(.time): "field \"time\" is missing, and so is \"ts\""
        case .missing(.size): "field \"amount\" is missing, and so is \"size\""
        case .missing(let column): "field \"\(column.name)\" is missing"
        case .field(let column, let value, let accepted):
            "field \"\(column.name)\" is \"\(value)\"; accepted is \(accepted)"
        }
    }
}
