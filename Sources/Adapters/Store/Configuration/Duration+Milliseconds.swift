extension Duration {
    /// Whole milliseconds, rounded up, so that a positive limit never becomes 0, which means none.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !overflow, whole < Int64(Int32.max) - 1_000 else { return Int(Int32.max) }
        return max(0, Int(whole + part))
    }
}
