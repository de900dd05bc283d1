package import ArgumentParser
import JSON

/// `bitpal deliveries …`: what was told, what waits and what could not be told.
package struct DeliveriesCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "deliveries", abstract: "What was told to whom, what waits, and dead letters.",
        subcommands: [DeliveriesListCommand.self, DeliveriesShowCommand.self, DeliveriesRetryCommand.self])

    /// An unconfigured command, for the parser.
    package init() {}
}

/// What a delivery can be, as a person types it.
enum DeliveryStateName: String, ExpressibleByArgument, CaseIterable {
    case waiting, held, delivered, gathered, dead
}

struct DeliveriesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Deliveries, newest first.",
        discussion: """
            waiting: to be told, or to be tried again. held: not told before quiet hours, or \
            the hour in which too much was told, are over; then in one digest with others. delivered: the \
            receiver has it. gathered: told in a digest. dead: given up; see `bitpal deliveries retry`.
            """)

    @OptionGroup var gateway: GatewayOptions
    @Option(help: "Only those that are waiting, held, delivered, gathered into a digest, or dead.")
    var state: DeliveryStateName?
    @Option(help: "Only those of this channel.") var channel: String?
    @Option(help: "At most so many.") var limit = 100
    @Flag(help: "One JSON object a line.") var json = false

    func validate() throws {
        guard (1...100_000).contains(limit) else {
            throw ValidationError("--limit is \(limit); accepted is 1...100000")
        }
    }

    func run() async throws {
        let deliveries = try await gateway.client().list(
            "/v1/deliveries", [("state", state?.rawValue), ("channel", channel)], limit: limit)
        try DeliveryRows.print(deliveries, json: json)
    }
}

struct DeliveriesShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "One delivery in full.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its id, as `bitpal deliveries list` shows it.") var id: String
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let delivery = try await gateway.client().get("/v1/deliveries/\(GatewayClient.part(id))")
        if json { return try DeliveryRows.print([delivery], json: true) }
        try Terminal().print(DeliveryRows.page(delivery))
    }
}

struct DeliveriesRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Tries dead letters again from the first attempt on, under the same ids.",
        discussion: "What goes to a disabled channel waits until that is enabled.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Ids of dead letters.") var ids: [String] = []
    @Option(help: "All dead letters of this channel.") var channel: String?
    @Flag(help: "All dead letters.") var all = false

    func validate() throws {
        guard [!ids.isEmpty, channel != nil, all].count(where: { $0 }) == 1 else {
            throw ValidationError("say which: ids, --channel NAME or --all")
        }
    }

    func run() async throws {
        let client = try gateway.client()
        guard ids.isEmpty else {
            for id in ids {
                try await client.send(
                    "POST", "/v1/deliveries/\(GatewayClient.part(id))/redeliver", json: nil)
            }
            return try StandardOutput.say("\(ids.count) to be tried again")
        }
        let which: JSONObject = channel.map { ["channel": .string($0)] } ?? [:]
        let done = try await client.send("POST", "/v1/deliveries/redeliver", json: .object(which))
        try StandardOutput.say("\(done.text("count")) to be tried again")
    }
}
