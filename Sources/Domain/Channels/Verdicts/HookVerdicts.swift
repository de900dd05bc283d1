/// Standard Webhooks 1.0: 2xx is delivered, 410 is the end, all others are failures that may pass.
enum WebhookVerdict {
    static func verdict(_ status: Int, _ wait: Duration?) -> Verdict {
        status == 410 ? .gone("it answers 410: nothing is wanted there any more") : .again(after: wait)
    }
}

/// Incoming webhooks of Slack.
///
/// Source: docs.slack.dev/messaging/sending-messages-using-incoming-webhooks, "Handling errors".
enum SlackVerdict {
    private static let ends: Set<String> = [
        "channel_is_archived", "channel_not_found", "invalid_token", "no_active_hooks", "no_service",
        "no_service_id", "no_team", "team_disabled", "user_not_found",
    ]

    static func verdict(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict {
        if ends.contains(said.text) || status == 410 { return .gone(said.sentence(status)) }
        if said.text == "rollup_error" || said.text == "rate_limited" { return .again(after: wait) }
        return .ofStatus(status, wait, said)
    }
}

/// Webhooks of Discord.
///
/// Source: discord.com/developers/docs/topics/opcodes-and-status-codes (10015 unknown webhook, 50027 invalid
/// webhook token) and topics/rate-limits (`retry_after` in seconds with a fraction).
enum DiscordVerdict {
    static func verdict(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict {
        let code = said.member("code")
        if code == "10015" || code == "50027" || status == 410 { return .gone(said.sentence(status)) }
        if status == 429, let asked = said.member("retry_after").flatMap(RetryAfter.duration(seconds:)) {
            return .again(after: max(asked, wait ?? .zero))
        }
        return .ofStatus(status, wait, said)
    }
}

/// The Bot API of Telegram.
///
/// Source: core.telegram.org/bots/api#making-requests and #responseparameters.
enum TelegramVerdict {
    private static let ends = [
        "bot was blocked", "bot was kicked", "bot is not a member", "user is deactivated", "chat not found",
        "chat was deleted", "group chat was deactivated", "PEER_ID_INVALID", "message thread not found",
    ]

    static func verdict(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict {
        let words = said.member("description") ?? said.text
        if let chat = said.member("parameters", "migrate_to_chat_id") {
            return .gone("the group is now chat \(chat)")
        }
        // Without the right token no address exists, so both say that the bot is no more.
        if status == 401 || status == 404 { return .gone("Telegram does not know the bot's token") }
        if ends.contains(where: { words.contains($0) }) { return .gone(said.sentence(status)) }
        let asked = said.member("parameters", "retry_after").flatMap(RetryAfter.duration(seconds:))
        if status == 429 { return .again(after: asked ?? wait) }
        return .ofStatus(status, asked ?? wait, said)
    }

    /// A 200 whose body says `"ok": false`; `nil` for any other answer and any other channel.
    static func refusal(_ settings: ChannelSettings, _ answer: Answer) -> Verdict? {
        guard case .telegram = settings else { return nil }
        let said = AnswerText(answer)
        guard let code = said.member("error_code").flatMap({ Int($0) }) else { return nil }
        return verdict(code, nil, said)
    }
}
