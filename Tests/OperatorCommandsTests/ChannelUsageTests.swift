import Channels
import Testing

@testable import OperatorCommands

@Suite("The options of a channel")
struct ChannelUsageTests {
    @Test("are those that its kind asks for")
    func options() {
        let text = ChannelUsage.options(of: .standard)
        let lines = text.split(separator: "; ")
        #expect(lines.first == "webhook --set url=… [--secret keys=… …]")
        #expect(lines.contains("ntfy --set server=… --set topic=… [--secret token=…]"))
        #expect(lines.last == "command --set arguments=… …")
        #expect(ChannelUsage.lists(of: .standard) == ["keys", "arguments"])
    }
}
