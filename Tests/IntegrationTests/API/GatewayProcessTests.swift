import Foundation
import Support
import Testing
import Web

@Suite("The gateway as a process", .serialized, .timeLimit(.minutes(10)))
struct GatewayProcessTests {
    @Test("starts against a database and a broker, is ready, and serves the API and the page")
    func serves() async throws {
        let running = try await GatewayProcess.start()
        let (client, site) = (HTTPClient(), "http://127.0.0.1:\(running.port)")
        let instruments = try await client.get(site + "/v1/instruments")
        #expect(instruments.status == 200 && instruments.header("content-type") == "application/json")
        #expect(String(decoding: instruments.body, as: UTF8.self) == #"{"items":[],"next":null}"#)
        #expect(try await client.get(site + "/v1/portfolios").status == 401)
        #expect(try await client.get(site + "/health/ready").status == 200)
        for (path, type) in [
            ("/", "text/html"), ("/docs", "text/html"), ("/openapi.json", "application/json"),
            ("/openapi.yaml", "application/yaml"),
        ] {
            let answer = try await client.get(site + path)
            #expect(answer.status == 200 && answer.header("content-type")?.hasPrefix(type) == true, "\(path)")
        }
        let metrics = try await client.get("http://127.0.0.1:\(running.operations)/metrics")
        #expect(String(decoding: metrics.body, as: UTF8.self).contains("gateway_request_duration_seconds"))
        #expect(await running.stop() == 0, "\(running.gateway.errors)")
    }

    @Test("ends with 0 on SIGTERM within its time, though streams are open, and says goodbye to them")
    func stops() async throws {
        let running = try await GatewayProcess.start()
        let (socket, events) = (try RawSocket(port: running.port), try RawSocket(port: running.port))
        try socket.ask(
            "/v1/stream",
            headers: [
                "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ])
        try socket.read(until: "HTTP/1.1 101")
        // A text frame, masked with nothing.
        let question = Array(#"{"op":"subscribe","id":"t","channel":"trending","key":""}"#.utf8)
        try socket.send([0x81, 0x80 | UInt8(question.count), 0, 0, 0, 0] + question)
        try socket.read(until: #""type":"subscribed""#)
        try events.ask("/v1/events?channel=trending&key=")
        try events.read(until: ": heartbeat")
        // Neither client does anything more: nobody who is told to stop waits for them.
        #expect(await running.stop() == 0, "\(running.gateway.errors)")
        #expect(!running.gateway.errors.contains("did not stop in time"), "\(running.gateway.errors)")
        try socket.readToEnd()
        // 1001 and why, as a frame that closes.
        #expect(socket.text.hasSuffix("\u{88}\u{12}\u{03}\u{E9}the server stops"), "\(socket.text)")
        try events.readToEnd()
        #expect(events.text.hasPrefix("HTTP/1.1 200") && events.text.hasSuffix("0\r\n\r\n"))
    }
}
