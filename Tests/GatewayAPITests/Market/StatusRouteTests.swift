import AccountStore
import Accounts
import HTTPTypes
import JSON
import MarketStore
import Store
import Support
import Testing

@testable import GatewayAPI

@Suite("Status for operators", .timeLimit(.minutes(10)))
struct StatusRouteTests {
    @Test("counts what waits to be told, whoever it belongs to, and says where something is wrong")
    func queues() async throws {
        try await GatewayFixture.run(prepare: { gateway in
            gateway.accounts = try? AccountService(gateway.services)
            gateway.identify = { _, _ in
                Identity(
                    user: .localOperator, role: .operator, scopes: Scope.all(of: .operator),
                    credential: .session(UserID.localOperator.rawValue))
            }
        }) { fixture async throws in
            let client = fixture.client
            let empty = try await client.get("/v1/status")
            #expect(empty.status == 200, "\(empty.text)")
            #expect(try empty.text("queues.0.name") == "deliveries")
            #expect(try empty.json("queues.0.waiting") == .number("0"))
            #expect(try empty.json("queues.0.oldest") == .null)
            #expect(try empty.text("queues.1.name") == "letters")
            let channel = try await client.make(
                "/v1/channels",
                #"{"kind":"ntfy","name":"n","settings":{"server":"https://ntfy.sh","topic":"t"}}"#)
            for _ in 0..<2 { _ = try await client.make("/v1/channels/\(channel)/test", "{}") }
            try await fixture.services.database.withSession { session in
                try session.script(
                    """
                    UPDATE alerts.outbox SET state = 'dead', ended_at = clock_timestamp(), last_error = 'gone'
                    WHERE delivery_id = (SELECT delivery_id FROM alerts.outbox LIMIT 1);
                    UPDATE alerts.outbox SET created_at = clock_timestamp() - interval '1 hour', failures = 1
                    WHERE state = 'waiting'
                    """)
            }
            let status = try await client.get("/v1/status")
            #expect(try status.json("queues.0.waiting") == .number("1"))
            #expect(try status.json("queues.0.failing") == .number("1"))
            #expect(try status.json("queues.0.dead") == .number("1"))
            #expect(try status.text("queues.0.last_error") == "gone")
            for trouble in ["1 wait, 1 of them failed before", "1 could not be delivered"] {
                #expect(status.text.contains(trouble), "\(status.text)")
            }
            try await eventually { try await client.get("/v1/status").text("bus") == "live" }
        }
    }

    @Test("show each notifier that lives, and that nobody is told anything while none does")
    func notifiers() async throws {
        try await GatewayFixture.run(prepare: { gateway in
            gateway.identify = { _, _ in
                Identity(
                    user: .localOperator, role: .operator, scopes: Scope.all(of: .operator),
                    credential: .session(UserID.localOperator.rawValue))
            }
        }) { fixture async throws in
            func say(_ instance: String, for duration: Duration, isLeaving: Bool = false) async throws {
                var term = LeaseTerm(service: "notifier", instance: instance, duration: duration)
                term.isLeaving = isLeaving
                let said = term
                try await fixture.services.database.transaction { session in try session.sayAlive(said) }
            }
            let none = "none runs: nobody is told anything"
            #expect(try await fixture.client.get("/v1/status").text.contains(none))
            try await say("one", for: .seconds(600))
            try await say("two", for: .seconds(600))
            // Its time is over: ten milliseconds are the shortest there is.
            try await say("three", for: .zero)
            try await eventually {
                let status = try await fixture.client.get("/v1/status")
                return !status.text.contains("three") && !status.text.contains(none)
            }
            let both = try await fixture.client.get("/v1/status")
            #expect(both.text.contains(#""instance":"one""#) && both.text.contains(#""instance":"two""#))
            for name in ["one", "two"] { try await say(name, for: .seconds(600), isLeaving: true) }
            #expect(try await fixture.client.get("/v1/status").text.contains(none))
        }
    }
}
