import Instruments

/// A chat with a bot.
package struct TelegramSettings: ChannelReceiver, Hashable {
    static let name = "telegram"
    static let title = ChannelWords("Telegram")
    static let fields = [chatName, threadNumber, botToken]

    private static let chatName = ChannelField(
        "chat", .text(nil),
        label: ChannelWords(en: "Chat id", de: "Chat-Kennung", es: "Id del chat", ja: "チャット ID"),
        "a chat's number or @channelname", example: "@channelname",
        accepted: "a text with a chat's number or @channelname", where: isChat)
    private static let threadNumber = ChannelField(
        "thread", .text(nil), isRequired: false, "a thread's number", example: "7",
        accepted: "a text with a thread's number above 0",
        where: { Int64($0).map { $0 > 0 } ?? false })
    private static let botToken = ChannelField(
        "token", .text(1...128), in: .secrets, label: ChannelWords("Token"),
        example: "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11",
        accepted: "the bot's token, such as 123456:ABC-DEF…",
        where: { text in
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            return text.utf8.count <= 128 && parts.count == 2 && UInt64(parts[0]) != nil
                && parts[1].utf8.count >= 20 && parts[1].utf8.allSatisfy(\.isOfWord)
        })

    /// A number, negative for groups, or `@channelname`.
    package var chat: String
    /// A forum's thread.
    package var thread: Int64?
    /// The bot's token.
    package var token: Secret

    var host: String { "telegram" }

    init(_ given: ChannelReader) throws(FieldFault) {
        chat = try given.text(Self.chatName)
        thread = try given.optionalText(Self.threadNumber).flatMap { Int64($0) }
        token = Secret(try given.text(Self.botToken))
    }

    private static func isChat(_ text: String) -> Bool {
        if let number = Int64(text) { return number != 0 && !text.hasPrefix("+") }
        return text.hasPrefix("@") && (5...64).contains(text.utf8.count)
            && text.utf8.dropFirst().allSatisfy(\.isOfWord)
    }

    func outgoing(_ notice: Notice, _ text: () -> NoticeText, _ context: SendingContext) -> Outgoing {
        .request(TelegramMessage.request(self, notice, text(), page: context.page))
    }
}

// What the Bot API answers.
// Source: core.telegram.org/bots/api#making-requests and #responseparameters.
extension TelegramSettings {
    private static let ends = [
        "bot was blocked", "bot was kicked", "bot is not a member", "user is deactivated", "chat not found",
        "chat was deleted", "group chat was deactivated", "PEER_ID_INVALID", "message thread not found",
    ]

    func verdict(_ answer: Answer, at now: Timestamp) -> Verdict {
        guard (200...299).contains(answer.status) else { return httpVerdict(answer, at: now) }
        // A 200 may say `"ok": false` in its body.
        let said = AnswerText(answer)
        guard let code = said.member("error_code").flatMap({ Int($0) }) else { return .delivered }
        return verdict(code, nil, said)
    }

    func verdict(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict {
        let words = said.member("description") ?? said.text
        if let chat = said.member("parameters", "migrate_to_chat_id") {
            return .gone("the group is now chat \(chat)")
        }
        // Without the right token no address exists, so both say that the bot is no more.
        if status == 401 || status == 404 { return .gone("Telegram does not know the bot's token") }
        if Self.ends.contains(where: { words.contains($0) }) { return .gone(said.sentence(status)) }
        let asked = said.member("parameters", "retry_after").flatMap(RetryAfter.duration(seconds:))
        if status == 429 { return .again(after: asked ?? wait) }
        return .ofStatus(status, asked ?? wait, said)
    }
}
