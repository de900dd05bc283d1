/// How often prices are asked for, by who wants them.
///
/// 30 s at rest, 10 s while somebody looks, 5 s while somebody acts; all of them stretched alike where a
/// provider's month would not last otherwise, so that at rest a month is used evenly.
package enum PollingPeriod {
    /// Who wants prices.
    package enum Interest: Hashable, Sendable, CaseIterable {
        case rest
        case looking
        case acting

        fileprivate var seconds: Int64 {
            switch self {
            case .rest: 30
            case .looking: 10
            case .acting: 5
            }
        }
    }

    /// Days of a month that a month's requests are spread over.
    private static let days: Int64 = 31

    /// Nanoseconds from one question to the next.
    ///
    /// - Parameters:
    ///   - interest: Who wants prices.
    ///   - perMonth: The requests of a month; `nil` without an end.
    ///   - requests: How many a question takes, 1 or more.
    /// - Returns: The period in nanoseconds.
    package static func nanoseconds(
        _ interest: Interest, perMonth: Int?, requests: Int = 1
    ) -> Int64 {
        let usual = interest.seconds * 1_000_000_000
        guard let perMonth else { return usual }
        let day: Int64 = 86_400_000_000_000
        let evenly = days * day / Int64(max(perMonth, 1)) * Int64(max(requests, 1))
        return max(usual, evenly / Interest.rest.seconds * interest.seconds)
    }
}
