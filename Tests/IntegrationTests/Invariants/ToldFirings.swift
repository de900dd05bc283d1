import AccountStore
import AlertStore
import Alerting
import Channels
import Foundation
import Instruments
import Store
import Support

/// What a rule fired, what the outbox has of it, and what a receiver got.
///
/// Invariant I2: what is committed as fired is delivered at least once, under an id of its own.
struct ToldFirings {
    /// A firing with one of its deliveries.
    struct Row: Hashable, Sendable {
        var trade: String
        /// `nil` for a firing without any.
        var delivery: String?
        var state: String = "delivered"
    }

    /// What was received: by the id that it came under, each different message.
    private let messages: [String: Set<[UInt8]>]
    let rows: [Row]

    init(_ rows: [Row], received: [(id: String, body: [UInt8])]) {
        self.rows = rows
        messages = Dictionary(received.map { ($0.id, [$0.body]) }, uniquingKeysWith: { $0.union($1) })
    }

    /// Whether nothing is to be told any more.
    static func areTold(_ rows: [Row]) -> Bool {
        rows.allSatisfy { $0.delivery == nil || $0.state != "waiting" }
    }

    /// What is wrong; empty where each has its one delivery, which arrived as one message.
    var faults: [String] {
        let deliveries = Dictionary(grouping: rows, by: \.trade).mapValues { $0.compactMap(\.delivery) }
        var faults = deliveries.filter { $0.value.count != 1 }.map {
            "\($0.key) has \($0.value.count) deliveries"
        }
        for row in rows {
            guard let id = row.delivery else { continue }
            let count = messages[id]?.count ?? 0
            if count == 0 { faults.append("\(row.trade) is \(row.state) as \(id) and did not arrive") }
            if count > 1 { faults.append("\(row.trade) arrived as \(count) messages under \(id)") }
        }
        let known = Set(rows.compactMap(\.delivery))
        faults += messages.keys.filter { !known.contains($0) }.map { "nothing fired for \($0)" }
        let bodies = messages.filter { known.contains($0.key) }.flatMap { Array($0.value) }
        if Set(bodies).count < bodies.count { faults.append("one message came under two ids") }
        return faults.sorted()
    }
}

extension AlertPlatform {
    static let notifier = "notifier"

    /// Starts a notifier, which tells a receiver of everything.
    ///
    /// One that dies holds what it has claimed for two seconds.
    func tell(_ receiver: HookReceiver) async throws {
        var channel = Channel(
            id: Outbox.id(1), user: .localOperator, name: "hook", kind: .webhook,
            settings: #"{"url":"\#(receiver.url("/told"))"}"#,
            secrets: ChannelSecrets(json: #"{"keys":["\#(Outbox.key)"]}"#), created: .zero, verified: .zero)
        channel.preferences.perMinute = 1_000_000
        channel.preferences.perHour = 1_000_000
        let put = channel
        try await database.withSession { try $0.put(put) }
        isSupervised = true
        try start(Self.notifier, port: 6, Outbox.pace(diesAtWork: true))
    }

    /// What a rule fired, with its deliveries, in order.
    func told(_ rule: StoredRule) async throws -> [ToldFirings.Row] {
        try await insist(while: { $0 is StoreError }) { try await database.rows(ToldRows(rule: rule.id)) }
    }
}

private struct ToldRows: Statement {
    static let sql = """
        SELECT COALESCE(firing.trade_id, ''), outbox.delivery_id::text, COALESCE(outbox.state, '')
        FROM alerts.firing AS firing
        LEFT JOIN alerts.outbox AS outbox USING (rule_id, epoch)
        WHERE firing.rule_id = $1 AND firing.kind = 'fired'
        ORDER BY firing.epoch, outbox.created_at
        """
    let rule: UniqueID
    func bind(_ parameters: inout Parameters) { parameters.append(rule) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> ToldFirings.Row {
        ToldFirings.Row(trade: try row.text(), delivery: try row.textOrNil(), state: try row.text())
    }
}
