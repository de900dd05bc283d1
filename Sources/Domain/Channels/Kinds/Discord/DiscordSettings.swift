import Instruments

/// A webhook of Discord: its whole URL is a secret.
struct DiscordSettings: ChannelReceiver {
    static let name = "discord"
    static let title = ChannelWords("Discord")
    static let fields = [address]

    private static let address = ChannelField.hook(
        ["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"], "/api/webhooks/")

    var url: Secret

    var host: String { "discord" }

    init(_ given: ChannelReader) throws(FieldFault) { url = Secret(try given.text(Self.address)) }

    func outgoing(_ notice: Notice, _ text: () -> NoticeText, _ context: SendingContext) -> Outgoing {
        .request(DiscordMessage.request(url, notice, text(), page: context.page))
    }

    /// Source: discord.com/developers/docs/topics/opcodes-and-status-codes (10015 unknown webhook, 50027
    /// invalid webhook token) and topics/rate-limits (`retry_after` in seconds with a fraction).
    func verdict(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict {
        let code = said.member("code")
        if code == "10015" || code == "50027" || status == 410 { return .gone(said.sentence(status)) }
        if status == 429, let asked = said.member("retry_after").flatMap(RetryAfter.duration(seconds:)) {
            return .again(after: max(asked, wait ?? .zero))
        }
        return .ofStatus(status, wait, said)
    }
}
