/// What faults make of the bytes of one message.
enum MessageDamage {
    /// Words for the two sides of a book; of each pair one stands in the place of the other afterwards.
    private static let sides = [
        ("bids", "asks"), ("Buy", "Sell"), ("buy", "sell"), ("BUY", "SELL"), ("bid", "offer"), ("b", "a"),
        ("bs", "as"), ("bid_price", "ask_price"), ("bid_size", "ask_size"),
    ]

    /// One bit is another; an empty message stays as it is.
    static func corrupted(_ message: [UInt8], _ dice: inout FaultDice) -> [UInt8] {
        guard !message.isEmpty else { return message }
        var message = message
        message[dice.number(0...message.count - 1)] ^= 1 << UInt8(dice.number(0...7))
        return message
    }

    /// The message without its end.
    static func truncated(_ message: [UInt8], _ dice: inout FaultDice) -> [UInt8] {
        guard !message.isEmpty else { return message }
        return Array(message.prefix(dice.number(0...message.count - 1)))
    }

    /// The message with bids as asks and asks as bids; `nil` where it has neither.
    static func crossed(_ message: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var start = message.startIndex
        var isChanged = false
        while let opening = message[start...].firstIndex(of: 0x22),
            let closing = message[(opening + 1)...].firstIndex(of: 0x22)
        {
            let word = String(decoding: message[(opening + 1)..<closing], as: UTF8.self)
            result += message[start...opening]
            if let other = opposite(word) {
                result += Array(other.utf8)
                isChanged = true
            } else {
                result += message[(opening + 1)..<closing]
            }
            result.append(0x22)
            start = closing + 1
        }
        return isChanged ? result + message[start...] : nil
    }

    private static func opposite(_ word: String) -> String? {
        for (bid, ask) in sides {
            if word == bid { return ask }
            if word == ask { return bid }
        }
        return nil
    }

    /// The message with each time in it moved by so many seconds.
    ///
    /// A time is a number of ten, thirteen, sixteen or nineteen digits of which the first ten are seconds of
    /// 2014...2033: seconds and finer steps since 1970. Times in words are left alone.
    static func skewed(_ message: [UInt8], seconds: Int) -> [UInt8]? {
        var message = message
        var isChanged = false
        var start: Int?
        for place in 0...message.count {
            let isDigit = place < message.count && (0x30...0x39).contains(message[place])
            if isDigit, start == nil { start = place }
            guard !isDigit, let first = start else { continue }
            start = nil
            guard [10, 13, 16, 19].contains(place - first), !isFraction(first, in: message),
                let moved = moved(message[first..<(first + 10)], by: seconds)
            else { continue }
            message.replaceSubrange(first..<(first + 10), with: moved)
            isChanged = true
        }
        return isChanged ? message : nil
    }

    private static func isFraction(_ place: Int, in message: [UInt8]) -> Bool {
        place > 0 && message[place - 1] == UInt8(ascii: ".")
    }

    private static func moved(_ digits: ArraySlice<UInt8>, by seconds: Int) -> [UInt8]? {
        let times = 1_400_000_000...1_999_999_999
        guard let time = Int(String(decoding: digits, as: UTF8.self)), times.contains(time),
            times.contains(time + seconds)
        else { return nil }
        return Array(String(time + seconds).utf8)
    }
}
