import Instruments
import JSON

/// A message to a webhook of Discord (discord.com/developers/docs/resources/webhook#execute-webhook).
package enum DiscordMessage {
    /// Characters of an embed's description, and of its title.
    static let limit = 4_096
    static let titleLimit = 256

    /// The request: one embed, and nobody is called by what stands in it.
    ///
    /// `wait=true` makes Discord answer after the message is stored instead of before.
    package static func request(
        _ url: Secret, _ notice: Notice, _ text: NoticeText, page: String?
    ) -> OutgoingRequest {
        var embed: JSONObject = [
            "title": .string(TextEscape.cut(text.title, titleLimit, TextEscape.discord)),
            "description": .string(TextEscape.cut(text.body, limit, TextEscape.discord)),
            "timestamp": .string(notice.venueTime.iso8601(fractionDigits: 3)),
        ]
        if let link = notice.link(on: page) { embed["url"] = .string(link) }
        let body = JSONValue.object([
            "embeds": .array([.object(embed)]),
            "allowed_mentions": .object(["parse": .array([])]),
        ])
        let address = url.text
        return .json(address + (address.contains("?") ? "&" : "?") + "wait=true", body)
    }
}
