import Alerting
import JSON

/// A message published as JSON to an ntfy server (docs.ntfy.sh/publish/#publish-as-json).
package enum NtfyMessage {
    /// Bytes of a message; more would become an attachment.
    static let limit = 4_096
    /// Bytes of a title that every client shows.
    static let titleLimit = 250

    /// The request to the server's root, which takes JSON.
    package static func request(
        _ settings: NtfySettings, _ notice: Notice, _ text: NoticeText, page: String?
    ) -> OutgoingRequest {
        // A message without text would read "triggered".
        let message = text.lines.isEmpty ? text.title : text.body
        var body: JSONObject = [
            "topic": .string(settings.topic), "title": .string(TextCut.bytes(text.title, titleLimit)),
            "message": .string(TextCut.bytes(message, limit)),
            "priority": .integer(priority(notice.priority)),
        ]
        if !notice.tags.isEmpty { body["tags"] = .array(notice.tags.prefix(16).map(JSONValue.string)) }
        if let link = notice.link(on: page) {
            body["click"] = .string(link)
            let action = JSONValue.object([
                "action": .string("view"), "label": .string(text.view), "url": .string(link),
            ])
            body["actions"] = .array([action])
        }
        let token = settings.token.map { Header(name: "Authorization", value: "Bearer \($0.text)") }
        return .json(
            settings.server.origin, .object(body), headers: token.map { [$0] } ?? [], isOwnDestination: true)
    }

    /// 1 is the least, 3 the ordinary, 5 the most urgent.
    private static func priority(_ priority: AlertPriority) -> Int64 {
        switch priority {
        case .low: 2
        case .normal: 3
        case .high: 5
        }
    }
}
