import AlertStore
import Channels
import Instruments
import Sending

/// What one attempt means: for the delivery, for its receiver, and for its channel.
struct AttemptOutcome: Sendable {
    var end: Delivery.Outcome
    /// Whether the receiver did not answer, or said that it cannot: the channel's others wait then.
    var isReceiverFailing = false
    /// Nanoseconds for which the receiver asks to be left alone.
    var asked: Int64 = 0
    /// Why nothing is to be sent by this channel any more.
    var gone: String?
    /// Whether this was the last attempt of all.
    var isGivenUp = false
    /// A word for the metrics.
    var label: String

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - answered: The answer, or why there was none.
    ///   - settings: The channel's, which know what answers mean.
    ///   - failures: Attempts that failed before this one.
    ///   - now: When the attempt ended.
    ///   - generator: For the jitter of the next attempt.
    init(
        _ answered: Result<Answer, SendFailure>, _ settings: ChannelSettings, failures: Int,
        at now: Timestamp, using generator: inout some RandomNumberGenerator
    ) {
        let verdict: Verdict
        let error: String
        // A redirect, a refusal or a limit is an answer: it says nothing of whether the next one is taken.
        var hasFailed = true
        switch answered {
        case .success(let answer):
            verdict = settings.verdict(answer, at: now)
            hasFailed = answer.status == 0 || answer.status >= 500
            error = "it answers \(answer.status)"
        case .failure(.cancelled):
            // We stop: whether it arrived is not known, so it is told again, under the same id.
            self.init(end: .postponed(until: now, error: nil), label: "cancelled")
            return
        case .failure(let failure):
            verdict = .again(after: nil)
            error = failure.description
        }
        switch verdict {
        case .delivered: self.init(end: .delivered, label: "delivered")
        case .refused(let reason): self.init(end: .dead(error: reason), label: "refused")
        case .gone(let reason): self.init(end: .dead(error: reason), gone: reason, label: "gone")
        case .again(let asked):
            let next = RetrySchedule.next(
                after: failures + 1, asked: asked, at: now.nanoseconds, using: &generator)
            let end: Delivery.Outcome =
                next.map { .retry(at: Timestamp(nanoseconds: $0), error: error) }
                ?? .dead(error: "given up after \(failures + 1) attempts: \(error)")
            self.init(
                end: end, isReceiverFailing: hasFailed && asked == nil, asked: asked?.nanoseconds ?? 0,
                label: next == nil ? "given_up" : "failed")
            isGivenUp = next == nil
        }
    }

    init(
        end: Delivery.Outcome, isReceiverFailing: Bool = false, asked: Int64 = 0, gone: String? = nil,
        label: String
    ) {
        self.end = end
        self.isReceiverFailing = isReceiverFailing
        self.asked = asked
        self.gone = gone
        self.label = label
    }
}
