public import Instruments

extension ChannelSettings {
    /// What an answer means; status 0 is that there was none, and for a command that it succeeded.
    ///
    /// Reasons hold at most 200 characters of the receiver's words, without control characters.
    public func verdict(_ answer: Answer, at now: Timestamp) -> Verdict {
        switch self {
        case .email: return MailVerdict.verdict(answer)
        case .command:
            // Nobody can say what a program's status means: it is tried again until the schedule ends.
            return answer.status == 0 ? .delivered : .again(after: nil)
        default: break
        }
        if (200...299).contains(answer.status) { return TelegramVerdict.refusal(self, answer) ?? .delivered }
        if answer.status == 0 { return .again(after: nil) }
        let wait = RetryAfter.duration(answer, now: now)
        let said = AnswerText(answer)
        switch self {
        case .webhook: return WebhookVerdict.verdict(answer.status, wait)
        case .telegram: return TelegramVerdict.verdict(answer.status, wait, said)
        case .slack: return SlackVerdict.verdict(answer.status, wait, said)
        case .discord: return DiscordVerdict.verdict(answer.status, wait, said)
        case .apns: return APNsVerdict.verdict(answer.status, wait, said)
        case .webPush: return WebPushVerdict.verdict(answer.status, wait, said)
        default: return .ofStatus(answer.status, wait, said)
        }
    }
}

extension Verdict {
    /// What a status means where the service has no words of its own: 408, 425, 429 and 5xx pass.
    static func ofStatus(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict {
        switch status {
        case 408, 425, 429, 500...599: .again(after: wait)
        case 300...399: .refused("it answers \(status): redirects are not followed")
        default: .refused(said.sentence(status))
        }
    }
}
