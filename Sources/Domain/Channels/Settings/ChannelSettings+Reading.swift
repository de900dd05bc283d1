import Crypto
import Encodings
public import Instruments

extension ChannelSettings {
    /// Reads the two JSON objects of a stored channel.
    ///
    /// - Parameters:
    ///   - kind: The kind's name, such as `web_push`.
    ///   - settings: What may be shown.
    ///   - secrets: What may not; no fault repeats any of it.
    ///   - policy: Where users' own addresses may lead.
    /// - Throws: One ``FieldFault`` for the first field that is wrong.
    public init(
        kind: String, settings: String, secrets: String, policy: DestinationPolicy = .strict
    ) throws(FieldFault) {
        var open = try SettingsReader(settings, name: "settings", isSecret: false)
        var hidden = try SettingsReader(secrets, name: "secrets", isSecret: true)
        switch kind {
        case "webhook": self = .webhook(try WebhookSettings(&open, &hidden, policy))
        case "email": self = .email(try EmailSettings(&open))
        case "telegram": self = .telegram(try TelegramSettings(&open, &hidden))
        case "ntfy": self = .ntfy(try NtfySettings(&open, &hidden, policy))
        case "slack":
            self = .slack(
                url: try hidden.hook(
                    ["hooks.slack.com", "hooks.slack-gov.com"], "/services/", policy))
        case "discord":
            self = .discord(
                url: try hidden.hook(
                    ["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"],
                    "/api/webhooks/", policy))
        case "apns": self = .apns(try APNsSettings(&open, &hidden))
        case "web_push": self = .webPush(try WebPushSettings(&open, &hidden, policy))
        case "command": self = .command(try open.arguments())
        default:
            throw FieldFault(
                "kind", kind,
                accepted: "webhook, email, telegram, ntfy, slack, discord, apns, web_push or command")
        }
        try open.finish()
        try hidden.finish()
    }
}

extension SettingsReader {
    fileprivate mutating func url(_ key: String, _ policy: DestinationPolicy) throws(FieldFault)
        -> DestinationURL
    {
        let text = try text(key, DestinationURL.accepted) { DestinationURL($0, policy: policy) != nil }
        guard let url = DestinationURL(text, policy: policy) else {
            throw fault(key, DestinationURL.accepted)
        }
        return url
    }

    /// A webhook's URL at one of these hosts; where the policy lets anything through, at any.
    fileprivate mutating func hook(
        _ hosts: [String], _ path: String, _ policy: DestinationPolicy
    ) throws(FieldFault) -> Secret {
        let accepted = "a URL that begins with https://\(hosts.joined(separator: " or "))\(path)"
        let url = try text("url", accepted) { text in
            DestinationURL(text, policy: policy) != nil
                && (policy == .anything || hosts.contains { text.hasPrefix("https://\($0)\(path)") })
        }
        return Secret(url)
    }

    fileprivate mutating func arguments() throws(FieldFault) -> [String] {
        let accepted = "1...64 texts of at most 4096 bytes without NUL, the first an absolute path"
        let list = try texts("arguments", 1...64, accepted) {
            $0.utf8.count <= 4_096 && !$0.utf8.contains(0)
        }
        guard list.first?.hasPrefix("/") == true else { throw fault("arguments", accepted) }
        return list
    }
}

extension WebhookSettings {
    fileprivate init(
        _ open: inout SettingsReader, _ hidden: inout SettingsReader, _ policy: DestinationPolicy
    ) throws(FieldFault) {
        url = try open.url("url", policy)
        let accepted = "1...4 texts \"whsec_\" and Base64 of 24...64 bytes"
        keys = try hidden.texts("keys", 1...4, accepted) { WebhookSettings.key($0) != nil }
            .compactMap(WebhookSettings.key)
    }

    private static func key(_ text: String) -> Secret? {
        guard text.hasPrefix("whsec_"), let bytes = Base64.bytes(String(text.dropFirst(6))),
            (24...64).contains(bytes.count)
        else { return nil }
        return Secret(bytes: bytes)
    }
}

extension EmailSettings {
    fileprivate init(_ open: inout SettingsReader) throws(FieldFault) {
        to = try open.text("to", "an address such as ada@example.org in ASCII, at most 254 bytes") {
            MailAddress.isValid($0)
        }
        name =
            try open.optionalText("name", "a text of at most 128 bytes without line breaks") {
                $0.utf8.count <= 128 && !$0.utf8.contains { $0 < 0x20 || $0 == 0x7F }
            } ?? ""
    }
}

extension TelegramSettings {
    fileprivate init(_ open: inout SettingsReader, _ hidden: inout SettingsReader) throws(FieldFault) {
        chat = try open.text("chat", "a text with a chat's number or @channelname", where: Self.isChat)
        let thread = try open.optionalText("thread", "a text with a thread's number above 0") {
            Int64($0).map { $0 > 0 } ?? false
        }
        self.thread = thread.flatMap { Int64($0) }
        token = Secret(
            try hidden.text("token", "the bot's token, such as 123456:ABC-DEF…") { text in
                let parts = text.split(separator: ":", omittingEmptySubsequences: false)
                return text.utf8.count <= 128 && parts.count == 2 && UInt64(parts[0]) != nil
                    && parts[1].utf8.count >= 20 && parts[1].utf8.allSatisfy(isWordByte)
            })
    }

    private static func isChat(_ text: String) -> Bool {
        if let number = Int64(text) { return number != 0 && !text.hasPrefix("+") }
        return text.hasPrefix("@") && (5...64).contains(text.utf8.count)
            && text.utf8.dropFirst().allSatisfy(isWordByte)
    }
}

extension NtfySettings {
    fileprivate init(
        _ open: inout SettingsReader, _ hidden: inout SettingsReader, _ policy: DestinationPolicy
    ) throws(FieldFault) {
        server = try open.url("server", policy)
        guard [server.origin, server.origin + "/"].contains(server.text.lowercased()) else {
            throw open.fault("server", "an https URL without a path, such as https://ntfy.sh")
        }
        topic = try open.text("topic", "1...64 letters, digits, hyphens and low lines") {
            (1...64).contains($0.utf8.count) && $0.utf8.allSatisfy(isWordByte)
        }
        token = try hidden.optionalText("token", "an access token of 1...128 printable ASCII characters") {
            (1...128).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }.map { Secret($0) }
    }
}

extension APNsSettings {
    fileprivate init(_ open: inout SettingsReader, _ hidden: inout SettingsReader) throws(FieldFault) {
        bundle = try open.optionalText("bundle", APNsAccount.acceptedTopic) { APNsAccount.isTopic($0) }
        environment = try open.choice("environment", Environment.self)
        form = try open.choice("form", Form.self) ?? .alert
        device = Secret(
            try hidden.text("device", "a token of 32...512 hexadecimal digits") {
                (32...512).contains($0.utf8.count) && $0.utf8.allSatisfy(isHexadecimal)
            }.lowercased())
    }
}

extension WebPushSettings {
    fileprivate init(
        _ open: inout SettingsReader, _ hidden: inout SettingsReader, _ policy: DestinationPolicy
    ) throws(FieldFault) {
        endpoint = try open.url("endpoint", policy)
        let accepted = "Base64 of a point of P-256: 65 bytes, uncompressed"
        publicKey =
            Base64.bytes(
                try open.text("p256dh", accepted) { text in
                    guard let bytes = Base64.bytes(text) else { return false }
                    return (try? P256.KeyAgreement.PublicKey(x963Representation: bytes)) != nil
                        && bytes.count == 65
                }) ?? []
        authentication = Secret(
            bytes: Base64.bytes(
                try hidden.text("auth", "Base64 of 16 bytes") { Base64.bytes($0)?.count == 16 }) ?? [])
    }
}

/// Letters, digits, hyphen and low line.
private func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
    default: false
    }
}

private func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
}
