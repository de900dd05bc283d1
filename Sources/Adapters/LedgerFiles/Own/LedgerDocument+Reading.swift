import Instruments
import JSON
import Portfolio

extension LedgerDocument {
    /// Reads what the same type wrote: the same comes back.
    ///
    /// - Throws: The first ``FileFault``.
    package init(reading bytes: [UInt8]) throws(FileFault) {
        let document = try JSONFields(JSONElement(file: bytes))
        let settings = try PortfolioSettings(reading: document.members)
        self.init(
            base: try document.asset("base"), settings: settings.lots,
            areExchanges: try document.flags("exchanges"), imported: ImportedLedger(),
            prices: try document.prices("prices"))
        for element in try document.elements("transactions") {
            let fields = try JSONFields(element)
            let number = try fields.text("number")
            guard let line = Int(number) else { throw fields.fault("number", "\"\(number)\" is no number") }
            try imported.append(try fields.transaction(), line: line)
        }
        for element in try document.elements("live") { live.append(try JSONFields(element).livePrice()) }
        for element in try document.elements("days") { days.append(try JSONFields(element).day()) }
        if let element = document["benchmark"], element.value != .null {
            let fields = try JSONFields(element)
            benchmark = Benchmark(try fields.text("name"), prices: try fields.prices("prices"))
        }
    }
}

extension JSONFields {
    fileprivate init(_ element: JSONElement) throws(FileFault) {
        guard let members = element.members else { throw element.fault("an object is expected") }
        self.init(object: element, members: members)
    }

    fileprivate subscript(_ name: String) -> JSONElement? { members.first { $0.key == name }?.element }

    fileprivate func transaction() throws(FileFault) -> Transaction {
        let kind = try text("kind")
        guard let known = TransactionKind(rawValue: kind) else {
            throw fault("kind", "\"\(kind)\" is no kind of transaction")
        }
        var row = Transaction(
            time: try time("time"), kind: known, wallet: try text("wallet"),
            toWallet: try textOrNil("to_wallet"), subject: Holding(try amount("amount"), try asset("asset")))
        if self["counter_asset"] != nil {
            row.counter = Holding(try amount("counter_amount"), try asset("counter_asset"))
        }
        if self["fee_asset"] != nil { row.fee = Holding(try amount("fee_amount"), try asset("fee_asset")) }
        row.externalID = try textOrNil("external_id") ?? ""
        row.note = try textOrNil("note") ?? ""
        row.priceSource = try textOrNil("price_source") ?? ""
        row.tags = try texts("tags")
        for text in try texts("lots") {
            guard let sign = text.utf8.lastIndex(of: UInt8(ascii: "=")),
                let amount = try? Amount(parsing: String(text[text.utf8.index(after: sign)...]))
            else { throw fault("lots", "\"\(text)\" is not external_id=amount") }
            row.lots.append(LotChoice(acquiredBy: String(text[..<sign]), amount: amount))
        }
        return row
    }

    fileprivate func livePrice() throws(FileFault) -> LivePrice {
        let price = LivePrice(
            asset: try text("asset"), currency: try text("currency"), price: try text("price"),
            time: try time("time"), source: try text("source"))
        guard let price else { throw fault("price", "is not above zero") }
        return price
    }

    fileprivate func day() throws(FileFault) -> DailyHistory.Day {
        let text = try text("day")
        guard let start = Timestamp(iso8601: "\(text)T00:00:00Z") else {
            throw fault("day", "\"\(text)\" is no day")
        }
        var day = DailyHistory.Day(end: start.adding(nanoseconds: 86_400_000_000_000))
        day.value = try amountOrNil("value")
        (day.inflow, day.outflow) = (try amount("inflow"), try amount("outflow"))
        return day
    }

    fileprivate func prices(_ name: String) throws(FileFault) -> PriceHistory {
        var rows: [(asset: Asset, currency: Asset, point: PricePoint)] = []
        for element in try elements(name) {
            let list = try JSONFields(element)
            let (asset, currency) = (try list.asset("asset"), try list.asset("currency"))
            for element in try list.elements("points") {
                rows.append((asset, currency, try element.pricePoint()))
            }
        }
        return PriceHistory(rows)
    }

    fileprivate func flags(_ name: String) throws(FileFault) -> [String: Bool] {
        guard let members = self[name]?.members else { throw fault(name, "an object is expected") }
        var flags: [String: Bool] = [:]
        for (key, element) in members {
            guard let flag = element.value.flag else { throw element.fault("true or false is expected") }
            flags[key] = flag
        }
        return flags
    }

    fileprivate func elements(_ name: String) throws(FileFault) -> [JSONElement] {
        guard let elements = self[name]?.elements else { throw fault(name, "an array is expected") }
        return elements
    }

    /// None where it is not there.
    private func texts(_ name: String) throws(FileFault) -> [String] {
        guard self[name] != nil else { return [] }
        var texts: [String] = []
        for element in try elements(name) { texts.append(try element.text ?? "") }
        return texts
    }

    fileprivate func asset(_ name: String) throws(FileFault) -> Asset { Asset(rawValue: try text(name)) }

    private func time(_ name: String) throws(FileFault) -> Timestamp {
        let text = try text(name)
        guard let time = Timestamp(iso8601: text) else { throw fault(name, "\"\(text)\" is no time") }
        return time
    }

    private func amount(_ name: String) throws(FileFault) -> Amount {
        guard let amount = try amountOrNil(name) else { throw fault(name, "is missing") }
        return amount
    }

    private func amountOrNil(_ name: String) throws(FileFault) -> Amount? {
        guard let text = try textOrNil(name) else { return nil }
        guard let amount = try? Amount(parsing: text) else { throw fault(name, "\"\(text)\" is no decimal") }
        return amount
    }
}

extension JSONElement {
    /// A pair of a time and a price.
    fileprivate func pricePoint() throws(FileFault) -> PricePoint {
        guard let pair = elements, pair.count == 2, let time = Timestamp(iso8601: try pair[0].text ?? ""),
            let price = try? Amount(parsing: try pair[1].text ?? "")
        else { throw fault("a time and a price are expected") }
        return PricePoint(time: time, price: price)
    }
}
