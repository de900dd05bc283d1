import Alerting
import JSON

/// `sendMessage` of the Telegram Bot API (core.telegram.org/bots/api#sendmessage).
package enum TelegramMessage {
    /// Characters of a text after its entities are read; counted here as UTF-16 units, as their offsets are.
    static let limit = 4_096

    /// The request; the text is sent without a parse mode, so that nothing in it is taken for markup.
    package static func request(
        _ settings: TelegramSettings, _ notice: Notice, _ text: NoticeText, page: String?
    ) -> OutgoingRequest {
        var body: JSONObject = [
            "chat_id": .string(settings.chat), "text": .string(TextCut.units(text.whole, limit)),
            "link_preview_options": .object(["is_disabled": .bool(true)]),
        ]
        if let thread = settings.thread { body["message_thread_id"] = .integer(thread) }
        if notice.priority == .low { body["disable_notification"] = .bool(true) }
        if let link = notice.link(on: page) {
            let button = JSONValue.object(["text": .string(text.view), "url": .string(link)])
            let rows = JSONValue.array([.array([button])])
            body["reply_markup"] = .object(["inline_keyboard": rows])
        }
        return .json("https://api.telegram.org/bot\(settings.token.text)/sendMessage", .object(body))
    }
}
