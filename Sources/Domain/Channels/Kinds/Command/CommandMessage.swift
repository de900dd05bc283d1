import Alerting
import Instruments

/// A program of the operator's, run without a shell.
package enum CommandMessage {
    /// Bytes of an argument that is filled in.
    static let limit = 4_096

    /// The placeholders that arguments may hold.
    package static let placeholders = [
        "id", "kind", "rule", "epoch", "instrument", "price", "previous", "level", "currency", "time", "note",
        "priority", "title", "body",
    ]

    /// The arguments with `{name}` filled in, once: what was filled in is not read again.
    ///
    /// A placeholder that nobody knows stays as it is; a value that is unknown is empty. The first argument,
    /// the program, is never changed. An argument of a placeholder alone may begin with a hyphen: programs
    /// that read options want `--` before it. Standard input is ``Notice/json`` and a line break.
    package static func command(_ arguments: [String], _ notice: Notice, _ text: NoticeText) -> Outgoing {
        let values = values(notice, text)
        let filled = arguments.prefix(1) + arguments.dropFirst().map { fill($0, values) }
        return .command(Array(filled), input: Array((notice.json + "\n").utf8))
    }

    private static func values(_ notice: Notice, _ text: NoticeText) -> [String: String] {
        [
            "id": notice.id, "kind": notice.kind.rawValue, "rule": notice.rule?.description ?? "",
            "epoch": notice.epoch.map(String.init) ?? "", "instrument": notice.instrument?.description ?? "",
            "price": notice.price?.description ?? "", "previous": notice.previous?.description ?? "",
            "level": notice.level?.description ?? "", "currency": notice.currency ?? "",
            "time": notice.venueTime.iso8601, "note": notice.note, "priority": notice.priority.rawValue,
            "title": text.title, "body": text.body,
        ]
    }

    private static func fill(_ argument: String, _ values: [String: String]) -> String {
        let filled = Placeholders.fill(argument) { name in
            // NUL would end an argument early.
            values[name]?.replacing("\0", with: "")
        }
        return TextCut.bytes(filled, limit)
    }
}
