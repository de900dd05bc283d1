import Accounts
package import ArgumentParser
import Bus

/// `bitpal keys …`: who may come to the bus from other machines.
package struct KeysCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "The keys of the bus: who comes to it, what each may publish, and what each may hear.",
        discussion: """
            With keys the bus is encrypted (CURVE), and may listen on any address; without them only on \
            loopback. The folder has a file for each service, NAME.key, which is secret: give it to that \
            service and to nobody else, and name it there with BITPAL_BUS_KEY_FILE; the broker is given \
            bus-broker.key and the folder allowed. What each client may do stands in allowed/NAME.pub, as \
            beginnings of topics; the broker reads these files again when they change. To let one in \
            no longer, remove its file there.

            Each change is a line of `bitpal audit` where a database is found, by BITPAL_DATABASE_URL or in \
            the data directory; else the command says that it is none. What is done to the files by hand is \
            in no log.
            """,
        subcommands: [
            KeysInitCommand.self, KeysAddCommand.self, KeysRotateCommand.self, KeysListCommand.self,
        ])

    /// An unconfigured command, for the parser.
    package init() {}
}

/// The command `bitpal keys init`.
struct KeysInitCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Makes the broker's keys, and those of Bitpal's own services and commands.",
        discussion: """
            Each service gets what it needs and no more; commands are given operator.key. A folder that has \
            a broker's keys is left as it is: all its clients know them.
            """)
    static let audit = AuditRule.entry([.keysInit])

    @OptionGroup var place: KeyFolderOptions

    func run() async throws {
        if place.keys == nil { try DataDirectory.make(place.dataDirectory) }
        let folder = place.folder
        try folder.make()
        for (name, rights) in BusRights.ofServices { try folder.add(name, rights) }
        await place.audit(.keysInit, by: Self.actor)
        try StandardOutput.say("Made the keys of \(KeyFolder.broker) and its clients in \(folder.path)")
    }
}

/// The command `bitpal keys add NAME`.
struct KeysAddCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Makes keys for one more client.",
        discussion: """
            A beginning of topics ends in a dot, such as trade.kraken., so that it means whole words; "" is \
            everything. Who hears anything also hears heartbeats, which tell whether something is missing; \
            they name the topics of their producers. Who publishes anything does so in its own name, NAME or \
            NAME-something, and in no other's, unless it may publish the heartbeats of others: \
            --publish heartbeat.OTHER.
            """)
    static let audit = AuditRule.entry([.keysAdd])

    @Argument(help: "Small letters, digits and hyphens.") var name: String
    @Option(help: "What it may publish, by the beginning of its topic; may be repeated.")
    var publish: [String] = []
    @Option(help: "What it may hear, by the beginning of its topic; may be repeated.")
    var subscribe: [String] = []
    @OptionGroup var place: KeyFolderOptions

    func run() async throws {
        let everything = subscribe.isEmpty || subscribe.contains("")
        let heard = everything ? subscribe : subscribe + ["heartbeat."]
        let isNamed = publish.isEmpty || publish.contains { $0.isEmpty || $0.hasPrefix("heartbeat.") }
        let said = isNamed ? publish : publish + ["heartbeat.\(name).", "heartbeat.\(name)-"]
        try place.folder.add(name, BusRights(publish: said, subscribe: heard))
        await place.audit(.keysAdd, of: name, by: Self.actor)
        let file = place.folder.keyFile(of: name)
        try StandardOutput.say("Made \(file): give it to \(name) and to nobody else")
    }
}

/// The command `bitpal keys rotate NAME`.
struct KeysRotateCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Makes a client's keys anew; the former ones are good meanwhile.",
        discussion: """
            Start the client again with the new file when it suits: until --retire both keys are let in, so \
            that nothing is lost. The broker's own key has no second one beside it: to change that, begin \
            with another folder, and start all clients again.
            """)
    static let audit = AuditRule.entry([.keysRotate, .keysRetire])

    @Argument(help: "The client, as `bitpal keys list` names it.") var name: String
    @Flag(help: "Make nothing; let the former key in no longer.") var retire = false
    @OptionGroup var place: KeyFolderOptions

    func run() async throws {
        let folder = place.folder
        guard retire else {
            try folder.rotate(name)
            await place.audit(.keysRotate, of: name, by: Self.actor)
            return try StandardOutput.say(
                "\(folder.keyFile(of: name)) is new; once \(name) uses it, end the former key with --retire")
        }
        guard try folder.retire(name) else {
            throw CommandFailure(
                .failed, "\(name) has only one key; `bitpal keys rotate \(name)` makes another")
        }
        await place.audit(.keysRetire, of: name, by: Self.actor)
        try StandardOutput.say("Only the newest key of \(name) is let in")
    }
}
