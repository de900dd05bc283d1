/// The keys of one object of a line, to find one that is given twice.
///
/// One owner; its memory is used again for the next line. The keys lie in the line and are known by their
/// places in it.
struct LineKeys {
    /// More of them are looked up in a set, or a line of a million keys would take hours.
    private static let listLimit = 32

    private var places: [Range<Int>] = []
    /// A bit for each key in `places`; keys with different bits differ.
    private var marks: UInt64 = 0
    /// All of them, once there are many or one has an escape.
    private var texts: Set<[UInt8]> = []

    mutating func removeAll() {
        places.removeAll(keepingCapacity: true)
        marks = 0
        if !texts.isEmpty { texts.removeAll() }
    }

    /// Adds the key at a place between its quotes.
    ///
    /// - Throws: ``LineFault/repeated(key:)``, or what is wrong with an escape.
    mutating func insert(
        _ place: Range<Int>, of line: UnsafeRawBufferPointer
    ) throws(LineFault) {
        let key = UnsafeRawBufferPointer(rebasing: line[place])
        guard texts.isEmpty, places.count < LineKeys.listLimit, !key.contains(0x5C) else {
            return try insertText(place, of: line)
        }
        let mark: UInt64 = 1 << UInt64((Int(key.first ?? 0) &+ 7 &* key.count) & 63)
        if marks & mark != 0 {
            for other in places where line[other].elementsEqual(key) { throw LineKeys.repeated(key) }
        }
        marks |= mark
        places.append(place)
    }

    private mutating func insertText(
        _ place: Range<Int>, of line: UnsafeRawBufferPointer
    ) throws(LineFault) {
        if texts.isEmpty {
            for other in places { texts.insert(Array(line[other])) }
        }
        var text: [UInt8] = []
        // Its closing quote ends it.
        _ = try StringEscapes.resolve(line, from: place.lowerBound, into: &text)
        guard texts.insert(text).inserted else {
            throw .repeated(key: String(decoding: text.prefix(60), as: UTF8.self))
        }
    }

    private static func repeated(_ key: UnsafeRawBufferPointer) -> LineFault {
        .repeated(key: String(decoding: key.prefix(60), as: UTF8.self))
    }
}
