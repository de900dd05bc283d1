import AlertStore
import Alerting
import ArgumentParser
import Instruments
import JSON
import Store

/// The command `bitpal alert explain`.
struct AlertExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Why a rule fired or did not.",
        discussion: """
            From what its alert-evaluator last stored, which is some seconds old at the most while one runs: \
            the last evaluations with the message and the trade that each was made for, the last value, \
            cooldown, whether the data that the rule needs can be believed, and what became of its last \
            firing by each channel: delivered, held back and why, or dead.
            """)

    @OptionGroup var store: AlertStoreOptions
    @Argument(help: "Its id.") var id: String
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let explanation = try await store.use { database in
            let row = try await store.find(id, in: database)
            return try await database.withSession { session in
                let last = try session.lastFiring(of: row.id, by: row.user)
                var told: [DeliveryRow] = []
                if let last {
                    told = try session.deliveries(ofFiring: last.epoch, of: row.id, by: row.user)
                }
                return RuleExplanation(
                    row, try session.evaluation(of: row.shard), last: last, told: told, at: .now)
            }
        }
        guard json else { return try Terminal().print(explanation.page) }
        let output = StandardOutput()
        try output.writeLine(json: explanation)
        try output.flush()
    }
}

/// The command `bitpal alert test-fire`.
struct AlertTestFireCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-fire", abstract: "Sends a notification of a rule as if it had fired.",
        discussion: "The rule stays as it is; its history says that it was a test.")

    @OptionGroup var store: AlertStoreOptions
    @Argument(help: "Its id.") var id: String
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let now = Timestamp.now
        let (row, epoch) = try await store.use { database in
            let row = try await store.find(id, in: database)
            return (row, try await database.transaction { session in try session.testFire(row, at: now) })
        }
        let output = StandardOutput()
        guard json else {
            try output.writeLine("notification \(epoch) of \(row.id) waits to be delivered, as a test")
            return try output.flush()
        }
        var line = JSONWriter()
        line.beginObject()
        line.key("rule")
        line.string(row.id.description)
        line.key("epoch")
        line.integer(epoch)
        line.endObject()
        line.endLine()
        try output.write(line.bytes)
        try output.flush()
    }
}
