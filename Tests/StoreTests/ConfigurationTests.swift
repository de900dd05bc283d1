import Testing

@testable import Store

@Suite("Store configuration")
struct ConfigurationTests {
    @Test("reads a URL and never shows its password")
    func url() throws {
        let configuration = try StoreConfiguration(
            url: "postgresql://me:s3cret@db.example:6543/market?sslmode=require")
        #expect(configuration.description == "host=db.example port=6543 dbname=market user=me")
        #expect(configuration.database("other").description.contains("dbname=other"))
        #expect(!String(reflecting: configuration).contains("s3cret"))
        #expect(ConnectionOptions.effective(configuration)["password"] == "s3cret")
        #expect(ConnectionOptions.effective(configuration)["sslmode"] == "require")
    }

    @Test("an option in the URL wins over ours")
    func precedence() throws {
        let configuration = try StoreConfiguration(url: "postgresql:///x?tcp_user_timeout=1234")
        #expect(ConnectionOptions.effective(configuration)["tcp_user_timeout"] == "1234")
        #expect(ConnectionOptions.effective(configuration)["keepalives_idle"] == "5")
    }

    @Test("a URL's limit for a new connection holds, and goes with its description")
    func connectTimeout() throws {
        let configuration = try StoreConfiguration(url: "postgresql:///x?connect_timeout=7")
        #expect(configuration.connectTimeout == .seconds(7))
        #expect(try StoreConfiguration(url: configuration.description).connectTimeout == .seconds(7))
    }

    @Test(
        "refuses nonsense with one line that has no secret",
        arguments: [
            "", "postgresql://me:s3cret@h/x?nonsense=1", "no such thing", "host=a\0b",
            "postgresql://me:s3cret@h/x?connect_timeout=0", "postgresql://h/x?connect_timeout=soon",
        ])
    func refused(url: String) throws {
        let error = try #require(throws: StoreError.self) { try StoreConfiguration(url: url) }
        #expect(error.label == "configuration")
        #expect(!error.description.contains("s3cret"))
        #expect(!error.description.contains("\n"))
    }

    @Test(
        "rounds durations up to whole milliseconds",
        arguments: [
            (Duration.zero, 0), (.nanoseconds(1), 1), (.seconds(2), 2_000),
            (.seconds(1 << 40), Int(Int32.max)),
        ])
    func milliseconds(duration: Duration, expected: Int) {
        #expect(duration.milliseconds == expected)
    }

    @Test("the pause between attempts doubles up to its bound and is jittered")
    func backoff() {
        var backoff = ConnectBackoff(bounds: .milliseconds(100)...(.milliseconds(350)))
        let now = ContinuousClock.now
        #expect(backoff.remaining(at: now) == nil)
        var pauses: [Duration?] = []
        for _ in 0..<4 {
            backoff.failed(at: now, jitter: 0.5)
            pauses.append(backoff.remaining(at: now))
        }
        #expect(pauses == [.milliseconds(50), .milliseconds(100), .milliseconds(175), .milliseconds(175)])
        backoff.succeeded()
        #expect(backoff.remaining(at: now) == nil)
    }
}
