/// A decimal as a sign, digits and places, reckoned as one does on paper: slow, and plainly right.
struct SchoolbookDecimal {
    var isNegative: Bool
    /// The last digit first.
    var digits: [Int]
    var places: Int

    init(_ text: String) {
        isNegative = text.hasPrefix("-")
        digits = text.reversed().compactMap(\.wholeNumberValue)
        places = text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
    }

    private init(_ isNegative: Bool, _ digits: [Int], _ places: Int) {
        self.isNegative = isNegative
        self.digits = digits
        self.places = places
    }

    var negated: SchoolbookDecimal { SchoolbookDecimal(!isNegative, digits, places) }

    private func padded(_ places: Int, _ count: Int) -> [Int] {
        let shifted = Array(repeating: 0, count: places - self.places) + digits
        return shifted + Array(repeating: 0, count: max(0, count - shifted.count))
    }

    func adding(_ other: SchoolbookDecimal) -> SchoolbookDecimal {
        let places = max(places, other.places)
        let count = max(digits.count - self.places, other.digits.count - other.places) + places + 1
        var (a, b) = (padded(places, count), other.padded(places, count))
        if isNegative == other.isNegative {
            var carry = 0
            let sum = zip(a, b).map { x, y -> Int in
                let column = x + y + carry
                carry = column / 10
                return column % 10
            }
            return SchoolbookDecimal(isNegative, sum, places)
        }
        var sign = isNegative
        if a.reversed().lexicographicallyPrecedes(b.reversed()) {
            (a, b) = (b, a)
            sign = other.isNegative
        }
        var borrow = 0
        let difference = zip(a, b).map { x, y -> Int in
            let column = x - y - borrow
            borrow = column < 0 ? 1 : 0
            return (column + 10) % 10
        }
        return SchoolbookDecimal(sign, difference, places)
    }

    func multiplied(by other: SchoolbookDecimal) -> SchoolbookDecimal {
        var columns = [Int](repeating: 0, count: digits.count + other.digits.count)
        for (i, x) in digits.enumerated() {
            for (j, y) in other.digits.enumerated() { columns[i + j] += x * y }
        }
        var carry = 0
        let product = columns.map { column -> Int in
            let sum = column + carry
            carry = sum / 10
            return sum % 10
        }
        return SchoolbookDecimal(isNegative != other.isNegative, product, places + other.places)
    }

    private var isZero: Bool { digits.allSatisfy { $0 == 0 } }

    var text: String {
        if isZero { return "0" }
        var whole = Array(digits.dropFirst(places))
        while whole.count > 1, whole.last == 0 { whole.removeLast() }
        if whole.isEmpty { whole = [0] }
        let padded = digits.prefix(places) + Array(repeating: 0, count: max(0, places - digits.count))
        let fraction = padded.drop { $0 == 0 }
        let tail = fraction.isEmpty ? "" : "." + fraction.reversed().map(String.init).joined()
        return (isNegative ? "-" : "") + whole.reversed().map(String.init).joined() + tail
    }
}
