import Bus
import BusBroker
import Instruments
import Support
import Testing
import Version
import Wire

@Suite("Status of a service", .timeLimit(.minutes(10)))
struct ServiceVersionTests {
    @Test("names the release and the commit, the broker's and that of everybody else")
    func namesVersion() async throws {
        try await TestBus.run { bus in
            let publisher = try bus.publisher()
            let subscriber = try bus.subscriber(["service.status."])
            try await running([publisher, subscriber]) {
                try await publisher.waitForBroker()
                let voice = try StatusVoice(of: "notifier", instance: "1", started: .zero, publisher)
                voice.say(ServiceStatus(isReady: true))
                var (follower, versions) = (Follower(subscriber), [String: String]())
                while versions.count < 2 {
                    guard case .serviceStatus(let status) = try await follower.message().decoded else {
                        continue
                    }
                    versions[status.service] = status.version
                }
                let version = ProductVersion.text
                #expect(versions == ["bus-broker": version, "notifier": version])
            }
        }
    }
}
