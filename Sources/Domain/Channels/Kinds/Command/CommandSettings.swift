import Instruments

/// A program of the operator's with arguments, see ``CommandMessage``.
struct CommandSettings: ChannelReceiver {
    static let name = "command"
    static let title = ChannelWords(en: "Command", de: "Befehl", es: "Orden", ja: "コマンド")
    static let fields = [words]
    static let maker = ChannelMaker.machine

    private static let words = ChannelField(
        "arguments", .texts(1...64), "nobody can make one from afar", example: "/usr/bin/logger",
        accepted: "1...64 texts of at most 4096 bytes without NUL, the first an absolute path",
        where: { $0.utf8.count <= 4_096 && !$0.utf8.contains(0) })

    var arguments: [String]

    var host: String { arguments.first ?? "command" }

    init(_ given: ChannelReader) throws(FieldFault) {
        arguments = try given.texts(Self.words)
        guard arguments.first?.hasPrefix("/") == true else { throw given.fault(Self.words) }
    }

    func outgoing(_ notice: Notice, _ text: () -> NoticeText, _ context: SendingContext) -> Outgoing {
        CommandMessage.command(arguments, notice, text())
    }

    /// Nobody can say what a program's status means: it is tried again until the schedule ends.
    func verdict(_ answer: Answer, at now: Timestamp) -> Verdict {
        answer.status == 0 ? .delivered : .again(after: nil)
    }
}
