import Accounts
import ArgumentParser
import Bus
import Shapes

/// The command `bitpal keys list`.
struct KeysListCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Who is let in, with how many keys, and what each may publish and hear.")
    static let audit = AuditRule.nothing("reads")

    @OptionGroup var place: KeyFolderOptions
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        try StandardOutput.say(try place.folder.clients().map(AllowedClientLine.init), json: json)
    }
}

/// Somebody whom the bus lets in.
struct AllowedClientLine: PrintedRow {
    static let row = RowShape<AllowedClientLine>("AllowedClient") {
        Field("name", \.client.name, "What its file is called.", example: "feed-ingestor").column()
        Field("public_keys", { $0.client.keys.map(\.text) }, "Two while one takes the other's place.")
            .column(.right, as: "keys") { TextTable.Cell("\($0.client.keys.count)") }
        Field("publish", \.client.rights.publish, "Prefixes of topics.")
            .column(as: "publishes") { TextTable.Cell(words($0.client.rights.publish)) }
        Field("subscribe", \.client.rights.subscribe, "Prefixes of topics.")
            .column(as: "hears") { TextTable.Cell(words($0.client.rights.subscribe)) }
    }

    let client: AllowedClient

    private static func words(_ prefixes: [String]) -> String {
        if prefixes.contains("") { return "everything" }
        return prefixes.isEmpty ? "nothing" : prefixes.joined(separator: " ")
    }
}
