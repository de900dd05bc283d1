import Instruments

/// Amounts and decimals: two texts with a blank between them.
enum NumberInput {
    /// A number is written as the same number, and what is computed with two obeys the rules of arithmetic.
    static func readAmount(_ bytes: [UInt8]) {
        let texts = bytes.split(separator: 0x20, maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
        let amounts = texts.compactMap { try? Amount(parsing: $0) }
        for amount in amounts { check(amount) }
        if amounts.count == 2 { check(amounts[0], amounts[1]) }
        for text in texts {
            guard let number = try? DecimalNumber(parsing: text) else { continue }
            check(number)
            if let amount = try? Amount(parsing: text) {
                precondition(Amount(number) == amount, "two values of one text")
            }
        }
        if let first = texts.first.flatMap({ try? DecimalNumber(parsing: $0) }),
            let second = texts.last.flatMap({ try? DecimalNumber(parsing: $0) })
        {
            precondition((first < second) == (Amount(first) < Amount(second)) || first.isEqual(to: second))
        }
    }

    private static func check(_ amount: Amount) {
        precondition((try? Amount(parsing: amount.description)) == amount, "an amount changed on its way")
        precondition(amount.decimalPlaces <= Amount.digitLimit, "more places than are read")
        precondition((amount - amount).isZero && -(-amount) == amount && !amount.magnitude.isNegative)
        for places in [0, 8, 24] {
            let difference = (amount.rounded(places: places) - amount).magnitude
            precondition(difference * Amount(units: 2) <= Amount(units: 1, places: places), "a poor rounding")
            // Of the longest a rounding may have a digit more than is read.
            if let read = try? Amount(parsing: amount.text(places: places)) {
                precondition(read == amount.rounded(places: places), "a text of another amount")
            }
        }
    }

    private static func check(_ first: Amount, _ second: Amount) {
        precondition(first + second - second == first && first + second == second + first)
        let product = first * second
        precondition(product == second * first && product.isZero == (first.isZero || second.isZero))
        precondition((first < second) != (first >= second), "two orders")
        guard let quotient = first.divided(by: second, places: 18) else {
            precondition(second.isZero, "a quotient that is missing")
            return
        }
        let rest = (quotient * second - first).magnitude
        precondition(rest * Amount(units: 2) <= second.magnitude * Amount(units: 1, places: 18))
        let parts = first.split(by: [second, .one, second.magnitude], places: 8)
        precondition(parts.reduce(.zero, +) == first, "parts that are not the whole")
    }

    private static func check(_ number: DecimalNumber) {
        precondition((try? DecimalNumber(parsing: number.description)) == number, "a decimal changed")
        precondition(number.normalized.isEqual(to: number), "another value without its zeros")
        for places in 0...18 {
            guard let scale = Scale(places), let other = try? number.rescaled(to: scale) else { continue }
            precondition(other.isEqual(to: number), "another value at another scale")
        }
    }
}
