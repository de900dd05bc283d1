public import Store

/// Tells who listens that there is something in the outbox.
///
/// Not in the transaction that puts it there: commits with notifications wait for each other (measured:
/// 30,300 a second are 6,800 then).
public struct HintOutbox: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = "SELECT pg_notify('\(AlertSchema.outboxChannel)', '')"

    /// Takes nothing.
    public init() {}
}
