import Testing
import Web

@Suite("What went wrong")
struct WebErrorTests {
    @Test(
        "is said with a measured time in one number and a unit",
        arguments: [
            (.nanoseconds(10_000_473_747), "10 s"), (.nanoseconds(9_999_600_000), "10 s"),
            (.milliseconds(250), "250 ms"),
        ] as [(Duration, String)])
    func silence(_ time: Duration, _ words: String) {
        #expect(WebError.silent(time).description == "nothing was received for \(words)")
    }

    @Test(
        "of an address shows scheme and host and nothing that may be a secret",
        arguments: [
            ("wss://ws.example/endpoint?token=secret#x", "wss://ws.example"),
            ("https://me:secret@ws.example/", "https://ws.example"), ("ws.example?secret", "ws.example"),
        ])
    func address(_ address: String, _ shown: String) {
        let error = WebError.invalidAddress(address, reason: "it has no host")
        #expect(error.description == "\(shown) is not an address to connect to: it has no host")
    }
}
