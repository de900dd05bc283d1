extension Timestamp {
    /// ISO 8601 with as many digits of the second as it has: none, 3, 6 or 9.
    public var plain: String {
        let digits = [0, 3, 6, 9].first { digits in
            var unit: Int64 = 1
            for _ in digits..<9 { unit *= 10 }
            return rawValue % unit == 0
        }
        return iso8601(fractionDigits: digits ?? 9)
    }
}
