extension Duration {
    /// The duration in nanoseconds, stopping at the end of Int64.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds > 0 ? .max : .min }
        return whole + attoseconds / 1_000_000_000
    }
}
