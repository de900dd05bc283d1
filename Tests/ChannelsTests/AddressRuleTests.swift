import Support
import Testing

@testable import Channels

@Suite("The rule for addresses")
struct AddressRuleTests {
    @Test(
        "refuses what is not of the public Internet",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
            "127.255.0.1", "169.254.0.1", "169.254.169.254", "100.100.100.200", "168.63.129.16", "172.16.0.0",
            "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.0.0", "192.168.255.255", "198.18.0.1",
            "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1",
            "255.255.255.255", "192.88.99.1",
            "::", "::1", "::7f00:1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:8.8.8.8",
            "64:ff9b::8.8.8.8", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:20::1",
            "2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "3fff::1", "fc00::1", "fd00:ec2::254",
            "fdff:ffff::", "fe80::1", "febf::1", "fec0::1", "ff02::1", "4000::1", "5f00::1", "1::",
        ])
    func refuses(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressRule.refusal(of: address) != nil)
    }

    @Test(
        "lets the public Internet through, up to the edges of the refused blocks",
        arguments: [
            "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
            "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
            "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
            "2606:4700:4700::1111", "2001:4860:4860::8888", "2003::1", "2a00:1450::1", "2001:200::1",
        ])
    func accepts(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressRule.refusal(of: address) == nil)
    }

    @Test(
        "reads no address from what is none",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", "0x7f.0.0.1", "2130706433", ":",
            ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "fe80::1%eth0", "::+1",
            "1.2.3.4::", "::1.2.3", "g::",
        ])
    func readsNone(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("decides the same by bytes as by text")
    func decidesByBytes() {
        property { generator in
            let bytes = (0..<4).map { _ in UInt8(generator.int(0...255)) }
            let text = bytes.map(String.init).joined(separator: ".")
            let address = try #require(IPAddress(bytes: bytes))
            try #require(address == IPAddress(text))
            // The naive form of the blocks that RELIABILITY.md 6.3 lists.
            let (a, b, c) = (bytes[0], bytes[1], bytes[2])
            let isListed =
                a == 0 || a == 10 || (a == 100 && (64...127).contains(b)) || a == 127
                || (a == 169 && b == 254) || (a == 172 && (16...31).contains(b))
                || (a == 192 && b == 0 && c == 0) || (a == 192 && b == 168)
                || (a == 198 && (18...19).contains(b)) || a >= 224
            if isListed { try #require(AddressRule.refusal(of: address) != nil) }
            let mapped = [UInt8](repeating: 0, count: 10) + [255, 255] + bytes
            try #require(IPAddress(bytes: mapped).flatMap(AddressRule.refusal) != nil)
        }
    }

    @Test(
        "goes with one for URLs, which accepts public hosts",
        arguments: [
            "https://example.org", "https://example.org:8443/a?b=c", "HTTPS://Example.ORG/",
            "https://8.8.8.8/",
            "https://[2606:4700:4700::1111]:443/x", "https://bücher.example/",
            "https://xn--bcher-kva.example",
            "https://example.org./", "https://a.example?x=1",
        ])
    func acceptsURL(_ text: String) {
        #expect(DestinationURL(text) != nil)
    }

    @Test(
        "and refuses all others",
        arguments: [
            "", "example.org", "http://example.org", "ftp://example.org", "file:///etc/passwd",
            "https:/example.org", "https://", "https:///x", "https://example.org:80/",
            "https://example.org:/",
            "https://example.org:0443443/", "https://example.org:+443/", "https://a@example.org/",
            "https://a:b@example.org/", "https://example.org@10.0.0.1/", "https://example.org#x",
            "https://example.org/ x", "https://example.org\\@10.0.0.1/", "https://localhost/",
            "https://a.localhost/", "https://printer.local/", "https://metadata.google.internal/",
            "https://db/", "https://127.0.0.1/", "https://2130706433/", "https://0x7f000001/",
            "https://0x7f.1/", "https://127.1/", "https://0177.0.0.1/", "https://[::1]/",
            "https://[::ffff:8.8.8.8]/", "https://[fe80::1%25eth0]/", "https://[8.8.8.8]/", "https://[::1/",
            "https://exa%6dple.org/", "https://example.org\r\nHost: x/", "https://10.0.0.1./",
        ])
    func refusesURL(_ text: String) {
        #expect(DestinationURL(text) == nil)
    }

    @Test("leaves an operator's policy what it allows")
    func allows() {
        #expect(
            DestinationURL("http://127.0.0.1:8080/x", policy: .anything)?.origin == "http://127.0.0.1:8080")
        #expect(DestinationURL("http://localhost:1/x", policy: .anything)?.port == 1)
        #expect(DestinationURL("http://127.1/", policy: .anything) == nil)
    }
}
