import Instruments
package import Shapes

extension RuleEvent: WireBody {
    package static let shape = BodyShape<RuleEvent>(
        "RuleEvent", "What happened to a rule: a firing, or a change by its owner.",
        example: [
            "time": "2026-11-21T12:00:00Z", "kind": "fired", "version": 1, "epoch": 1,
            "reason": "last rose above 61000",
            "held": """
            phone: quieted: 120 by this channel told within an hour; held back until 2026-11-21T12:40:00Z
            """,
            "venue_time": "2026-11-21T11:59:59.993Z", "previous": "60990.5", "price": "61002",
            "level": "61000", "trade_id": "4611686", "late_by_nanos": 0,
        ]
    ) {
        Field("time", \.time.plain, as: .time)
        Field("kind", \.kind.rawValue, as: .words(Kind.allCases.map(\.rawValue)))
        Field("version", \.version, "The rule's then.")
        Field(ifPresent: "epoch", \.epoch, "Which firing; missing for a change by its owner.")
        Field(ifPresent: "reason", { $0.epoch == nil ? nil : $0.text }, "Why it fired.")
        Field(
            ifPresent: "held", { $0.epoch == nil ? nil : .some($0.held) },
            "Channels by which it was not told at once, each with the reason.")
        Field(ifPresent: "venue_time", \.firing?.venueTime.plain, as: .time)
        Field(
            ifPresent: "previous", { $0.firing.map(\.previous) }, "The value before.", as: .nullable(.decimal)
        )
        Field(
            ifPresent: "price", { $0.firing.map(\.price) }, "The value that fired it.",
            as: .nullable(.decimal))
        Field(ifPresent: "level", { $0.firing.map(\.level) }, "What was passed.", as: .nullable(.decimal))
        Field(ifPresent: "trade_id", { $0.firing.map(\.tradeID) }, "The trade that fired it.")
        Field(
            ifPresent: "late_by_nanos", \.firing?.lateBy, "Nanoseconds by which it was found too late.")
        Field(
            ifPresent: "lasted_nanos", \.span,
            """
            Nanoseconds: of sees_again for how long nothing could be believed, of quieted and quiet_ended \
            for how long firings are left out; missing for all other kinds.
            """)
        Field(ifPresent: "rule", \.change, "What it said from then on.")
    }

    /// The rule after a change by its owner.
    private var change: WrittenJSON<RuleForm>? { epoch == nil ? WrittenJSON(Array(text.utf8)) : nil }
}
