import Alerting

/// `sendMessage` of the Telegram Bot API (core.telegram.org/bots/api#sendmessage).
public enum TelegramMessage {
    /// Characters of a text after its entities are read; counted here as UTF-16 units, as their offsets are.
    static let limit = 4_096

    /// The request; the text is sent without a parse mode, so that nothing in it is taken for markup.
    public static func request(
        _ settings: TelegramSettings, _ notice: Notice, _ text: NoticeText, page: String?
    ) -> OutgoingRequest {
        var body: [(String, JSONText)] = [
            ("chat_id", .text(settings.chat)), ("text", .text(TextCut.units(text.whole, limit))),
            ("link_preview_options", .object([("is_disabled", .flag(true))])),
        ]
        if let thread = settings.thread { body.append(("message_thread_id", .integer(thread))) }
        if notice.priority == .low { body.append(("disable_notification", .flag(true))) }
        if let link = notice.link(on: page) {
            let button = JSONText.object([("text", .text(text.view)), ("url", .text(link))])
            let rows = JSONText.array([.array([button])])
            body.append(("reply_markup", .object([("inline_keyboard", rows)])))
        }
        return .json("https://api.telegram.org/bot\(settings.token.text)/sendMessage", .object(body))
    }
}
