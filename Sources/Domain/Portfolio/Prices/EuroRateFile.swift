import Instruments

/// Why a file is no list of rates.
package struct EuroRateFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The first byte that does not fit, from 0.
    package var offset: Int
    /// What is wrong there.
    package var reason: String

    /// One line for a person.
    package var description: String { "byte \(offset): \(reason)" }
}

/// Reads the European Central Bank's files of rates.
///
/// Of the XML only `<Cube time='2026-11-20'>` and, within it, `<Cube currency='USD' rate='1.1583'/>` matter;
/// everything else is passed over.
///
/// Source: European Central Bank, "Euro foreign exchange reference rates", section for developers, read
/// 2026-11.
package enum EuroRateFile {
    /// The rates of a file, in its order.
    ///
    /// - Throws: ``EuroRateFault`` for a day, code or number that is none, and for a file without rates.
    package static func parse(
        _ bytes: [UInt8], while isWanted: () -> Bool = { true }
    ) throws(EuroRateFault) -> [EuroRate] {
        var rates: [EuroRate] = []
        var day: Int32?
        var index = 0
        while let start = bytes[index...].firstIndex(of: 0x3C) {
            let end = bytes[start...].firstIndex(of: 0x3E) ?? bytes.endIndex
            index = end
            guard bytes[start..<end].starts(with: "<Cube".utf8) else { continue }
            let tag = Tag(text: bytes[start..<end])
            if let time = tag["time"] {
                guard let text = Timestamp(iso8601: "\(time)T00:00:00Z") else {
                    throw EuroRateFault(offset: start, reason: "\"\(time)\" is no day")
                }
                day = Int32(clamping: text.nanoseconds / EuroRate.length)
            }
            guard let code = tag["currency"] else { continue }
            let currency = Asset(rawValue: code)
            guard let day, currency.isPlainCode, let text = tag["rate"],
                let rate = try? Amount(parsing: text), rate.isPositive
            else {
                throw EuroRateFault(
                    offset: start,
                    reason: "a rate needs a day, a code of three letters and a decimal above zero")
            }
            rates.append(EuroRate(day: day, currency: currency, rate: rate))
            guard rates.count % 1_024 != 0 || isWanted() else {
                throw EuroRateFault(offset: start, reason: "nobody wants the rest")
            }
        }
        guard !rates.isEmpty else { throw EuroRateFault(offset: bytes.count, reason: "no rates in it") }
        return rates
    }

    /// A tag's attributes, in either kind of quotes.
    private struct Tag {
        let text: ArraySlice<UInt8>

        subscript(name: String) -> String? {
            let wanted = Array(name.utf8) + [0x3D]
            var index = text.startIndex
            while index < text.endIndex {
                guard let blank = text[index...].firstIndex(where: { $0 <= 0x20 }) else { return nil }
                index = text.index(after: blank)
                guard text[index...].starts(with: wanted) else { continue }
                let quote = index + wanted.count
                guard quote < text.endIndex, text[quote] == 0x27 || text[quote] == 0x22,
                    let end = text[(quote + 1)...].firstIndex(of: text[quote])
                else { return nil }
                return String(decoding: text[(quote + 1)..<end], as: UTF8.self)
            }
            return nil
        }
    }
}

extension Asset {
    /// Three capital letters.
    fileprivate var isPlainCode: Bool {
        rawValue.utf8.count == 3 && rawValue.utf8.allSatisfy { 0x41...0x5A ~= $0 }
    }
}
