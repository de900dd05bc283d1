import Instruments

/// An incoming webhook of Slack: its whole URL is a secret.
struct SlackSettings: ChannelReceiver {
    static let name = "slack"
    static let title = ChannelWords("Slack")
    static let fields = [address]

    private static let address = ChannelField.hook(
        ["hooks.slack.com", "hooks.slack-gov.com"], "/services/")

    var url: Secret

    var host: String { "slack" }

    init(_ given: ChannelReader) throws(FieldFault) { url = Secret(try given.text(Self.address)) }

    func outgoing(_ notice: Notice, _ text: () -> NoticeText, _ context: SendingContext) -> Outgoing {
        .request(SlackMessage.request(url, notice, text(), page: context.page))
    }

    private static let ends: Set<String> = [
        "channel_is_archived", "channel_not_found", "invalid_token", "no_active_hooks", "no_service",
        "no_service_id", "no_team", "team_disabled", "user_not_found",
    ]

    /// Source: docs.slack.dev/messaging/sending-messages-using-incoming-webhooks, "Handling errors".
    func verdict(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict {
        if Self.ends.contains(said.text) || status == 410 { return .gone(said.sentence(status)) }
        if said.text == "rollup_error" || said.text == "rate_limited" { return .again(after: wait) }
        return .ofStatus(status, wait, said)
    }
}
