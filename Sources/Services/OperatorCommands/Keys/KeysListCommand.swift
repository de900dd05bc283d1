import ArgumentParser
import Bus
import JSON

/// The command `bitpal keys list`.
struct KeysListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Who is let in, with how many keys, and what each may publish and hear.")

    @OptionGroup var place: KeyFolderOptions
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let clients = try place.folder.clients()
        if json { return try printLines(clients) }
        var table = TextTable([("name", .left), ("keys", .right), ("publishes", .left), ("hears", .left)])
        for client in clients {
            let cells = [
                client.name, "\(client.keys.count)", Self.words(client.rights.publish),
                Self.words(client.rights.subscribe),
            ]
            table.append(cells.map { TextTable.Cell($0) })
        }
        let terminal = Terminal()
        try terminal.print(table.lines(columns: terminal.isInteractive ? terminal.size.columns : 4_096))
    }

    private func printLines(_ clients: [AllowedClient]) throws {
        let output = StandardOutput()
        var line = JSONWriter()
        for client in clients {
            line.beginObject()
            line.text("name", client.name)
            line.texts("public_keys", client.keys.map(\.text))
            line.texts("publish", client.rights.publish)
            line.texts("subscribe", client.rights.subscribe)
            line.endObject()
            line.endLine()
        }
        try output.write(line.bytes)
        try output.flush()
    }

    private static func words(_ prefixes: [String]) -> String {
        if prefixes.contains("") { return "everything" }
        return prefixes.isEmpty ? "nothing" : prefixes.joined(separator: " ")
    }
}
