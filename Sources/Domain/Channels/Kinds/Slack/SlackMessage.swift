import JSON

/// A message to an incoming webhook of Slack.
///
/// Source: docs.slack.dev/messaging/sending-messages-using-incoming-webhooks.
package enum SlackMessage {
    /// Characters of a block's text (docs.slack.dev/reference/block-kit/blocks/section-block).
    static let limit = 3_000

    /// The request: one section in Slack's own markup, and the title alone for notifications.
    package static func request(
        _ url: Secret, _ notice: Notice, _ text: NoticeText, page: String?
    ) -> OutgoingRequest {
        let title = "*\(bold(TextCut.units(text.title, 200)))*"
        let rest = text.lines.isEmpty ? "" : "\n" + text.body
        var markup = title + TextEscape.cut(rest, limit - title.utf16.count, TextEscape.slack)
        if let link = notice.link(on: page), !link.contains("|"), !link.contains(">") {
            let button = "\n<\(TextEscape.slack(link))|\(bold(text.view))>"
            markup =
                title + TextEscape.cut(rest, limit - title.utf16.count - button.utf16.count, TextEscape.slack)
                + button
        }
        let section = JSONValue.object([
            "type": .string("section"),
            "text": .object(["type": .string("mrkdwn"), "text": .string(markup)]),
        ])
        return .json(
            url.text,
            .object([
                "text": .string(TextEscape.slack(TextCut.units(text.title, 200))),
                "blocks": .array([section]),
                "unfurl_links": .bool(false),
            ]))
    }

    /// Escaped, and without what would end bold letters or a link.
    private static func bold(_ text: String) -> String {
        let plain = text.unicodeScalars.map { $0 == "*" ? "∗" : $0 == "|" ? "¦" : String($0) }
        return TextEscape.slack(plain.joined())
    }
}
