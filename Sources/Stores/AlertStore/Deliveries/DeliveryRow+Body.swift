import Channels
import Instruments
package import Shapes
import Store

extension DeliveryRow: WireBody {
    package static let shape = BodyShape<DeliveryRow>("Delivery", "Something that one channel is to tell.") {
        Field("id", \.id.description, as: .text("uuid"))
        Field("state", \.stateName, as: .words(DeliveryState.allCases.map(\.rawValue)), example: "delivered")
        Field("channel", \.channel, "Its name.", example: "phone")
        Field(
            "kind", \.kind, "The channel's.", as: .words(ChannelKind.allCases.map(\.rawValue)),
            example: "ntfy")
        Field("subject", \.subject, "A notice's kind, or fired.", example: "fired")
        Field("reason", \.reason, "Why it fired, or what a notice says.", example: "last rose above 61000")
        Field(
            "rule", \.rule?.description, "Null for a notice.", as: .nullable(.text("uuid")),
            example: .text(Schema.sampleID))
        Field("last_error", \.error, "Of the last attempt that failed, or why it is held back.")
        Field("created", \.created.plain, as: .time, example: "2026-11-21T12:00:00Z")
        Field(
            "next", { $0.state == "waiting" ? $0.next.plain : nil }, "When it is due, while it waits.",
            as: .nullable(.time))
        Field(
            "ended", \.ended?.plain, "When it was delivered, gathered or given up.",
            as: .nullable(.time), example: "2026-11-21T12:00:01Z")
        Field(
            "digest", \.digest?.description, "The delivery that tells it with others.",
            as: .nullable(.text("uuid")))
        Field("epoch", \.epoch, "Which firing of the rule.", example: 1)
        Field("claims", \.claims, "How often it was claimed.", example: 1)
        Field("failures", \.failures, "Attempts that failed.")
        Field("held", \.isHeld, "Whether it waits for the end of quiet hours or of a limit.", example: false)
    }
}

extension DeliveryRow {
    /// Its state, or `held` while it waits for the end of quiet hours or of a limit.
    package var stateName: String { isHeld && state == "waiting" ? "held" : state }
}

/// What a delivery can be.
package enum DeliveryState: String, CaseIterable, Sendable {
    case waiting, held, delivered, gathered, dead
}
