import Instruments
import MarketData

/// What a message is about, besides its rows.
struct CryptoComResult {
    var instrument: JSONText?
    var channel: JSONText?
    var interval = ""
    var depth: Int64 = 0
    /// Where `data` lies.
    var data: Int?
}

extension CryptoComSession {
    mutating func read(
        _ scanner: inout JSONScanner, _ connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        var id: Int64 = -1
        var code: Int64 = 0
        var method = ""
        var result: CryptoComResult?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "id") {
                id = try scanner.integer()
            } else if scanner.equals(key, "code") {
                code = try scanner.integer()
            } else if scanner.equals(key, "method") {
                method = scanner.string(try scanner.text()) ?? ""
            } else if scanner.equals(key, "result"), try scanner.peek() == 0x7B {
                result = try readResult(&scanner)
            } else {
                try scanner.skip()
            }
        }
        try scanner.expectEnd()
        if method == "public/heartbeat" {
            let answer = "{\"id\":\(id),\"method\":\"public/respond-heartbeat\"}"
            return output.actions.append(.send(connection: connection, text: answer))
        }
        if id >= 0, method == "subscribe" { takeAnswer(id, code: code, at: time, into: &output) }
        guard code == 0, let result, let data = result.data else { return }
        scanner.index = data
        try readData(&scanner, result, at: time, into: &output)
    }

    private func readResult(_ scanner: inout JSONScanner) throws(ScanError) -> CryptoComResult {
        var result = CryptoComResult()
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "instrument_name") {
                result.instrument = try scanner.text()
            } else if scanner.equals(key, "channel") {
                result.channel = try scanner.text()
            } else if scanner.equals(key, "interval") {
                result.interval = scanner.string(try scanner.scalarText()) ?? ""
            } else if scanner.equals(key, "depth") {
                result.depth = try scanner.integer()
            } else if scanner.equals(key, "data") {
                result.data = scanner.index
                try scanner.skip()
            } else {
                try scanner.skip()
            }
        }
        return result
    }

    /// The rows of a channel.
    private mutating func readData(
        _ scanner: inout JSONScanner, _ result: CryptoComResult, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let name = result.instrument, let channel = result.channel,
            let index = instrument(scanner.bytes(name))
        else {
            output.counters.unexpected &+= 1
            return
        }
        try scanner.array { scanner throws(ScanError) in
            if scanner.equals(channel, "book"), core.wants(.book, index) {
                try readImage(&scanner, index, depth: result.depth, at: time, into: &output)
            } else if scanner.equals(channel, "book.update"), core.wants(.book, index) {
                try readChange(&scanner, index, depth: result.depth, at: time, into: &output)
            } else if scanner.equals(channel, "trade"), core.wants(.trade, index) {
                try readTrade(&scanner, index, isBackfill: false, at: time, into: &output)
            } else if scanner.equals(channel, "ticker"), core.wants(.ticker, index) {
                try readTicker(&scanner, index, at: time, into: &output)
            } else if scanner.equals(channel, "candlestick"), core.wants(.candle, index) {
                try readCandle(&scanner, index, result.interval, at: time, into: &output)
            } else if scanner.equals(channel, "mark"), core.wants(.mark, index) {
                try readMark(&scanner, index, at: time, into: &output)
            } else {
                output.counters.unexpected &+= 1
                try scanner.skip()
            }
        }
    }
}
