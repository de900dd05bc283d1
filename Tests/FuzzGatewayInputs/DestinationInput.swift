import Accounts
import Encodings
import Glibc
import Instruments
import Sending

@testable import Channels

/// Where a user wants to be told, and what is answered there.
enum DestinationInput {
    // MARK: - Letters

    /// An account's address is one that letters go to; a link in a letter is one that we signed.
    static func readMail(_ bytes: [UInt8]) {
        let text = bytes.asText
        if let address = try? EmailAddress(parsing: text) {
            precondition(address.text == text && address.folded == text.lowercased(), "another address")
            precondition(MailAddress.isValid(text), "an address that no letter goes to")
        }
        if MailAddress.isValid(text) {
            precondition(!text.utf8.contains { $0 <= 0x20 || $0 >= 0x7F }, "a line of a letter's head")
        }
        let key = UnsubscribeKey(Secret(bytes: Array(repeating: 7, count: UnsubscribeKey.size)))
        precondition(key.channel(of: text) == nil, "a link that nobody signed")
        // A channel is named by the text of a UUID.
        if (1...120).contains(text.utf8.count), text.utf8.allSatisfy({ (0x2D...0x7A).contains($0) }) {
            precondition(key.channel(of: key.token(of: text)) == text, "a link of ours is refused")
        }
        if let decoded = Base64.bytes(text) {
            precondition(decoded.count <= text.utf8.count, "more bytes than there were")
        }
    }

    // MARK: - Addresses

    /// What is accepted leads where libcurl goes, and to no address of this machine or network.
    static func readAddress(_ bytes: [UInt8]) {
        let text = bytes.asText
        readIP(text)
        if let url = DestinationURL(text, policy: .anything) { check(url, text) }
        guard let url = DestinationURL(text) else { return }
        precondition(url.scheme == "https" && [443, 8_443].contains(url.port), "not an https address")
        if let address = IPAddress(url.host) {
            precondition(AddressRule.refusal(of: address) == nil, "an address of this network")
        }
        precondition(DestinationURL(text, policy: .anything) != nil, "more is accepted than anything")
    }

    private static func check(_ url: DestinationURL, _ text: String) {
        // What libcurl does not read is not sent to either.
        guard let theirs = try? Destination(url: text) else { return }
        precondition(theirs.scheme == url.scheme && theirs.port == Int(url.port), "another port")
        precondition(!theirs.hasUser, "a user before the host")
        if let address = IPAddress(url.host) {
            precondition(IPAddress(theirs.host) == address, "another address")
        } else {
            precondition(theirs.host.lowercased() == url.host, "another host")
        }
    }

    /// What we read as an address is the same to the system.
    private static func readIP(_ text: String) {
        guard let ours = IPAddress(text) else { return }
        _ = AddressRule.refusal(of: ours)
        var storage = in6_addr()
        let family = ours.isVersion6 ? AF_INET6 : AF_INET
        precondition(inet_pton(family, text, &storage) == 1, "an address that is none to the system")
        let theirs = withUnsafeBytes(of: &storage) { Array($0.prefix(ours.isVersion6 ? 16 : 4)) }
        precondition(IPAddress(bytes: theirs) == ours, "another address to the system")
    }

    // MARK: - Channels

    private static let kinds = ChannelKind.allCases.map(\.rawValue) + ["fax"]

    /// The first byte chooses the kind; then settings, secrets, what the receiver says of waiting, and its
    /// answer, a line each.
    ///
    /// No refusal repeats a secret, and nobody makes us wait for longer than a day.
    static func readChannel(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let lines = Array(bytes.dropFirst()).lines(4)
        let settings: ChannelSettings
        do throws(FieldFault) {
            settings = try ChannelSettings(
                kind: kinds[Int(first &- 0x30) % kinds.count], settings: lines[0], secrets: lines[1])
        } catch {
            _ = "\(error)"
            return
        }
        let now = Timestamp(nanoseconds: 1_800_000_000_000_000_000)
        let headers = [Header(name: "Retry-After", value: lines[2])]
        for status in [0, 200, 204, 400, 401, 404, 410, 413, 429, 451, 500, 503] {
            let answer = Answer(status: status, headers: headers, body: Array(lines[3].utf8))
            _ = settings.verdict(answer, at: now)
            if let wait = RetryAfter.duration(answer, now: now) {
                precondition(wait >= .zero && wait <= .seconds(RetryAfter.longest), "a long wait")
            }
        }
    }
}
