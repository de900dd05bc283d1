package import Instruments

extension QuotaFault {
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
