/// The forms in which a ledger leaves.
package enum ExportForm: String, CaseIterable, Sendable {
    case csv, json
}

/// The columns of a report on gains.
package enum GainForm: String, CaseIterable, Sendable {
    /// Those of Form 8949.
    case form8949 = "8949"
    /// Everything, in ISO 8601 and full precision.
    case generic
}
