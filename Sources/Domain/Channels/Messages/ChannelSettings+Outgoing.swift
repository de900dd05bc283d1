import Alerting
import Encodings
public import Instruments
import JSON

extension ChannelSettings {
    /// What is to be sent so that a notice reaches this channel.
    ///
    /// - Parameters:
    ///   - notice: What happened.
    ///   - text: The same in the person's words, made only for channels that have words.
    ///   - context: The time, keys and addresses.
    /// - Returns: A request, a letter or a command, ready to be sent.
    /// - Throws: ``FieldFault`` when the context lacks what this kind of channel needs.
    public func outgoing(
        _ notice: Notice, _ text: @autoclosure () -> NoticeText, _ context: SendingContext
    ) throws(FieldFault) -> Outgoing {
        switch self {
        case .webhook(let settings):
            .request(WebhookMessage.request(settings, notice, at: context.now))
        case .email(let settings): .mail(try MailMessage.mail(settings, notice, text(), context))
        case .telegram(let settings):
            .request(TelegramMessage.request(settings, notice, text(), page: context.page))
        case .ntfy(let settings): .request(NtfyMessage.request(settings, notice, text(), page: context.page))
        case .slack(let url): .request(SlackMessage.request(url, notice, text(), page: context.page))
        case .discord(let url): .request(DiscordMessage.request(url, notice, text(), page: context.page))
        case .apns(let settings): .request(try APNsMessage.request(settings, notice, text(), context))
        case .webPush(let settings): .request(try WebPushMessage.request(settings, notice, text(), context))
        case .command(let arguments): CommandMessage.command(arguments, notice, text())
        }
    }
}

extension OutgoingRequest {
    /// A POST of JSON.
    static func json(
        _ url: String, _ body: JSONValue, headers: [Header] = [], isOwnDestination: Bool = false
    ) -> OutgoingRequest {
        OutgoingRequest(
            method: "POST", url: url,
            headers: [Header(name: "Content-Type", value: "application/json")] + headers, body: body.bytes,
            isOwnDestination: isOwnDestination)
    }
}

extension Notice {
    /// The address at which the alert can be seen in a browser.
    func link(on page: String?) -> String? {
        guard let page else { return nil }
        return rule == nil ? page : page + linkQuery
    }

    /// The address at which the app shows the alert.
    var appLink: String { rule == nil ? "bitpal://alert" : "bitpal://alert" + linkQuery }

    private var linkQuery: String {
        let id = rule.map { PercentText.encoded($0.description) } ?? ""
        return "?id=\(id)" + (epoch.map { "&epoch=\($0)" } ?? "")
    }
}
