package import Instruments

extension QuotaFault {
    /// How long ago what was made counts as new.
    package static let newNanoseconds: Int64 = 7 * 86_400 * 1_000_000_000

    /// Too many that were made within a week, whatever became of them.
    ///
    /// What is revoked stays on record: who makes and revokes again and again would fill the disk.
    ///
    /// - Parameters:
    ///   - field: What is counted, such as `tokens`.
    ///   - count: How many were made in the last seven days.
    ///   - kept: How many one may have that are in force.
    /// - Returns: `nil` where one more may be made.
    package static func ofMade(_ field: String, inAWeek count: Int, whereKept kept: Int) -> QuotaFault? {
        let limit = kept * deletedPerKept
        guard count >= limit else { return nil }
        return QuotaFault(
            "\(field) made within a week", count: count + 1, limit: limit,
            advice: "they count also when they are revoked")
    }

    /// So many deleted things may wait for their removal for each that one may have.
    private static let deletedPerKept = 4

    /// Too many that were deleted and are still kept: who makes and deletes again and again would fill the
    /// disk.
    ///
    /// - Parameters:
    ///   - field: What is counted, such as `portfolios`.
    ///   - count: How many deleted ones there are.
    ///   - kept: How many one may have that are not deleted.
    /// - Returns: `nil` where there may be as many.
    package static func ofDeleted(_ field: String, count: Int, whereKept kept: Int) -> QuotaFault? {
        let limit = kept * deletedPerKept
        guard count > limit else { return nil }
        return QuotaFault(
            "deleted \(field)", count: count, limit: limit,
            advice: "each is removed some days after its deletion")
    }
}
