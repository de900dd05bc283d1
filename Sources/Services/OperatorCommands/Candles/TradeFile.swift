import Instruments
import MarketData
import MarketState
import Recordings

/// Trades of a file: JSON lines or CSV, plain or gzipped.
///
/// One pass; memory is that of one line.
struct TradeFile {
    private let file: TextFile
    private var fields = TradeFields()
    private var object = FlatObject()
    private var header: CSVHeader?
    private var hasBegun = false

    /// What could not be read so far.
    var faults: InputFaults { file.faults }

    /// Opens a file.
    ///
    /// - Throws: `RecordingError` naming it.
    init(path: String, policy: FaultPolicy = .stop) throws {
        file = try TextFile(path: path, policy: policy)
    }

    /// Hands over every trade with its texts, in the order of the file.
    ///
    /// Where faults are counted, lines of trades that cannot be read are left out.
    /// - Throws: ``CommandFailure`` naming the file, the line, the field and what is accepted.
    mutating func forEach(_ body: (CandleTrade<Int128>, TradeFields) throws -> Void) throws {
        while let line = try file.next() {
            do {
                if let trade = try read(line) { try body(trade, fields) }
            } catch TradeFault.incomplete(let words) where file.policy == .count {
                file.takeIncomplete(words)
            } catch let fault as TradeFault {
                guard file.policy == .count, fault.isOfTrade else { throw failure(fault.text) }
                file.leaveOut()
            } catch let fault as LineFault {
                guard file.policy == .count else { throw failure(fault.description) }
                file.leaveOut()
            } catch is CandleOverflow {
                throw failure(
                    "the sums of this candle need more than 38 digits of volume or 77 of quote volume")
            }
        }
    }

    private func failure(_ text: String) -> CommandFailure {
        CommandFailure(.failed, "\(file.path):\(file.line): \(text)")
    }

    /// The trade of a line; `nil` for the header.
    private mutating func read(_ line: UnsafeRawBufferPointer) throws -> CandleTrade<Int128>? {
        if !hasBegun {
            hasBegun = true
            if line.first(where: { $0 > 0x20 }) != 0x7B {
                do throws(TradeFault) {
                    header = try CSVHeader(line)
                } catch {
                    // Without its header no line of the file can be read.
                    throw TradeFault.header(error.text)
                }
                return nil
            }
        }
        fields.removeAll()
        if let header { try header.read(line, into: &fields) } else { try readObject(line) }
        return try trade()
    }

    private mutating func readObject(_ line: UnsafeRawBufferPointer) throws {
        var fields = TradeFields()
        swap(&fields, &self.fields)
        defer { swap(&fields, &self.fields) }
        var incomplete: String?
        try object.read(line) { key, value in
            guard let column = TradeColumn(key) else {
                if case .text(let words) = value, key.elementsEqual(IncompleteLine.key.utf8) {
                    incomplete = String(decoding: words, as: UTF8.self)
                }
                return
            }
            switch value {
            case .text(let text), .bare(let text): fields.set(column, text)
            case .null: fields.set(column, EmptyCollection())
            // Not a value of any field, so that the error shows it as such.
            case .nested: fields.set(column, "[…]".utf8)
            }
        }
        if let incomplete { throw TradeFault.incomplete(incomplete) }
    }

    private func trade() throws(TradeFault) -> CandleTrade<Int128> {
        let price = try number(.price)
        let size = try number(.size)
        return CandleTrade(
            time: try time(), price: price.units, size: size.units, pricePlaces: UInt8(price.places),
            sizePlaces: UInt8(size.places), side: try side())
    }

    private func time() throws(TradeFault) -> Timestamp {
        let column = fields[.time].isEmpty && !fields[.ts].isEmpty ? TradeColumn.ts : .time
        let text = fields[column]
        if text.isEmpty { throw .missing(.time) }
        guard let time = text.withUnsafeBytes(TradeTime.parse) else {
            throw fault(column, TradeTime.accepted)
        }
        return time
    }

    private func number(_ column: TradeColumn) throws(TradeFault) -> WideNumber {
        let text = fields[column]
        if text.isEmpty { throw .missing(column) }
        let parsed = text.withUnsafeBytes { bytes in Result { try WideNumber(parsing: bytes) } }
        switch parsed {
        case .success(let number) where number.units > 0: return number
        case .failure(DecimalError.overflow): throw fault(column, "a decimal number of at most 38 digits")
        default: throw fault(column, "a decimal number above 0, such as 0.00012")
        }
    }

    private func side() throws(TradeFault) -> Side? {
        let text = fields[.side].map { $0 | 0x20 }
        if text.isEmpty { return nil }
        // Only these say which side took: a bid may be the buyer's who took or the one that was hit.
        guard
            let side = Side.allCases.first(where: { side in
                text.elementsEqual(side.name.utf8) || text.elementsEqual(side.name.utf8.prefix(1))
            })
        else {
            throw fault(.side, "buy, sell, b, s, or nothing where it is unknown")
        }
        return side
    }

    private func fault(_ column: TradeColumn, _ accepted: String) -> TradeFault {
        let value = fields[column]
        let shown = String(decoding: value.prefix(60), as: UTF8.self) + (value.count > 60 ? "…" : "")
        return .field(column, value: shown, accepted: accepted)
    }
}
