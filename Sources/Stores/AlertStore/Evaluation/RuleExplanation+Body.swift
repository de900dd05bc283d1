import Alerting
import Instruments
package import Shapes
import Store

extension RuleExplanation: WireBody {
    package static let shape = BodyShape<RuleExplanation>(
        "RuleExplanation", "From what the rule's evaluator last stored."
    ) {
        Field("rule", \.row.id.description, as: .text("uuid"))
        Field(
            "state", { $0.row.stateName(at: $0.now) }, as: .words(["armed", "disabled", "done", "deleted"]))
        Field("why", \.verdict, "One sentence.", example: "it has seen no value yet")
        Field("instrument", \.row.rule.instrument?.description, example: "kraken:BTC/USD")
        Field(
            "as_of", \.known?.plain, "When the evaluator stored it; null before it has taken the rule in.",
            as: .nullable(.time))
        Field("value", { $0.explanation?.value?.description }, "The last one.", as: .nullable(.decimal))
        Field("value_time", { $0.explanation?.valueTime?.plain }, "When that was.", as: .nullable(.time))
        Field(
            "standing", { $0.explanation?.standing },
            "How its condition stands, where it looks at more than a level.")
        Field("last_fired", { $0.explanation?.lastFired?.plain }, as: .nullable(.time))
        Field(ifPresent: "last_firing", \.last)
        Field(
            "deliveries", { $0.told.map(FiringDelivery.init) },
            "What became of that firing, channel by channel.")
        Field("cooldown_until", { $0.explanation?.coolsUntil?.plain }, as: .nullable(.time))
        Field(
            "quiet_until", { $0.explanation?.quiet?.until.plain },
            "Until when its firings are left out, since there were too many within an hour.",
            as: .nullable(.time))
        Field("left_out", { $0.explanation?.quiet?.leftOut }, "How many have been.")
        Field(
            "rearms_at", { $0.explanation?.rearmsAt?.description }, "The value at which it may fire again.",
            as: .nullable(.decimal))
        Field(
            "held_until", { $0.explanation?.heldUntil?.plain },
            "When it fires if its condition holds until then.",
            as: .nullable(.time))
        Field("proven", { $0.explanation?.isProven }, "Whether the data that it needs can be believed.")
        Field("blind_since", { $0.explanation?.blindSince?.plain }, as: .nullable(.time))
        Field("blind_reason", { $0.explanation.flatMap { $0.isProven ? nil : $0.blindReason } })
        Field("evaluations", \.journal, "What passed its level lately, oldest first.")
    }

    private var journal: [JournalEntry] {
        (explanation?.evaluations ?? []).map { JournalEntry(evaluation: $0, instrument: row.rule.instrument) }
    }
}

/// What a rule fired on last.
extension LastFiring: WireBody {
    package static let shape = BodyShape<LastFiring>("LastFiring") {
        Field("venue_time", \.venueTime.plain, as: .time, example: "2026-11-21T11:59:59.993Z")
        Field("previous", \.previous, "The value before.", as: .nullable(.decimal), example: "60990.5")
        Field("price", \.price, "The value that fired it.", as: .nullable(.decimal), example: "61002")
        Field("level", \.level, "What was passed.", as: .nullable(.decimal), example: "61000")
        Field("trade_id", \.tradeID, "The trade that fired it.", example: "4611686")
        Field("reason", \.reason, example: "last rose above 61000")
    }
}

/// What became of a firing by one channel.
private struct FiringDelivery: WireBody {
    static let shape = BodyShape<FiringDelivery>("ToldDelivery") {
        Field("channel", \.row.channel, "Its name.", example: "phone")
        Field(
            "state", \.row.stateName, as: .words(DeliveryState.allCases.map(\.rawValue)), example: "delivered"
        )
        Field("error", \.row.error, "Of the last attempt that failed, or why it is held back.")
    }

    var row: DeliveryRow
}

/// An evaluation of a rule.
private struct JournalEntry: WireBody {
    static let shape = BodyShape<JournalEntry>("RuleEvaluation") {
        Field(
            "venue_time", \.evaluation.venueTime.plain, as: .time,
            example: "2026-11-21T11:59:59.993Z")
        Field(
            "received_time", \.evaluation.receivedTime.plain, as: .time,
            example: "2026-11-21T12:00:00Z")
        Field("venue", \.instrument?.venue.rawValue, example: .venue)
        // What was read from the stored tape has none.
        Field(
            "sequence", { $0.evaluation.sequence > 0 ? $0.evaluation.sequence : nil },
            "The number of the message in its stream.", example: 7)
        Field("trade_id", \.evaluation.tradeID, example: "4611686")
        Field("late_by_nanos", \.evaluation.lateBy, "Nanoseconds by which it was found too late.")
        Field(
            "previous", \.evaluation.previous?.description, "The value before.", as: .nullable(.decimal),
            example: "60990.5")
        Field(
            "price", \.evaluation.price?.description, "The value.", as: .nullable(.decimal), example: "61002")
        Field("outcome", { RuleExplanation.words($0.evaluation.outcome) }, "In words.", example: "it fired")
    }

    var evaluation: Evaluation
    var instrument: InstrumentID?
}
