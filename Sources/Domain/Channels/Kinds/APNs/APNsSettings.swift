import Instruments

/// A device, or a Live Activity on one.
package struct APNsSettings: ChannelReceiver, Hashable {
    static let name = "apns"
    static let title = ChannelWords(en: "App", de: "App", es: "Aplicación", ja: "アプリ")
    static let fields = [bundleName, serverName, purpose, deviceToken]
    static let maker = ChannelMaker.device
    static let needs: Set<SendingNeed> = [.appleToken]

    private static let bundleName = ChannelField(
        "bundle", .text(nil), isRequired: false, "the app's; the installation's where it is missing",
        example: "app.bitpal.ios", accepted: APNsAccount.acceptedTopic, where: { APNsAccount.isTopic($0) })
    private static let serverName = ChannelField.choice("environment", Environment.self)
    private static let purpose = ChannelField.choice("form", Form.self, "alert as usual")
    private static let deviceToken = ChannelField(
        "device", .text(32...512), in: .secrets, "in hexadecimal",
        example: "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0",
        accepted: "a token of 32...512 hexadecimal digits",
        where: { (32...512).contains($0.utf8.count) && $0.utf8.allSatisfy(isHexadecimal) })

    /// Which of Apple's servers knows the token.
    package enum Environment: String, Hashable, Sendable, CaseIterable {
        /// Apps from the App Store and TestFlight.
        case production
        /// Apps from Xcode.
        case sandbox
    }

    /// What the token is for.
    package enum Form: String, Hashable, Sendable, CaseIterable {
        case alert
        /// Updates of one Live Activity, and its end.
        case liveActivity = "live_activity"
        /// Starts of Live Activities.
        case liveActivityStart = "live_activity_start"
    }

    /// The token of the device or the activity, in hexadecimal.
    package var device: Secret
    /// The app's bundle identifier; `nil` for the operator's.
    package var bundle: String?
    /// Which server; `nil` for the operator's choice.
    package var environment: Environment?
    /// What the token is for.
    package var form: Form

    var host: String { "apns \(environment?.rawValue ?? "")" }

    init(_ given: ChannelReader) throws(FieldFault) {
        bundle = try given.optionalText(Self.bundleName)
        environment = try given.choice(Self.serverName, Environment.self)
        form = try given.choice(Self.purpose, Form.self) ?? .alert
        device = Secret(try given.text(Self.deviceToken).lowercased())
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    func outgoing(
        _ notice: Notice, _ text: () -> NoticeText, _ context: SendingContext
    ) throws(FieldFault) -> Outgoing {
        .request(try APNsMessage.request(self, notice, text(), context))
    }
}

// What Apple answers.
// Source: developer.apple.com, "Handling notification responses from APNs".
extension APNsSettings {
    private static let ends: Set<String> = [
        "BadDeviceToken", "DeviceTokenNotForTopic", "ExpiredToken", "Unregistered",
    ]
    /// Apple accepts one new token in 20 minutes.
    private static let tokenPause: Duration = .seconds(20 * 60)

    func verdict(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict {
        let reason = said.member("reason") ?? ""
        if Self.ends.contains(reason) || status == 410 { return .gone(said.sentence(status)) }
        switch reason {
        case "ExpiredProviderToken", "IdleTimeout", "Shutdown", "ServiceUnavailable", "InternalServerError":
            return .again(after: wait)
        case "TooManyProviderTokenUpdates": return .again(after: wait ?? Self.tokenPause)
        default: return .ofStatus(status, wait, said)
        }
    }
}

extension Answer {
    /// Whether Apple wants another token: the one used is to be thrown away before the next attempt.
    package var wantsNewAPNsToken: Bool {
        status == 403 && AnswerText(self).member("reason") == "ExpiredProviderToken"
    }
}

extension ChannelKind {
    /// Apple's push service.
    package static let apns = ChannelKind(APNsSettings.self)
}
