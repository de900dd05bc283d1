import Channels
import Instruments
import Operations

extension SigningConfiguration {
    /// Reads what was configured; keys are looked at now and not when the first push leaves.
    ///
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    init(settings: Settings) throws(ConfigurationError) {
        try readAPNs(settings)
        try readVAPID(settings)
        unsubscribePage = settings[Self.unsubscribe]
        if let page = unsubscribePage, DestinationURL(page, policy: Self.pages) == nil || page.contains("?") {
            throw settings.refusal(Self.unsubscribe, value: page, accepted: "an https URL without a query")
        }
    }

    private static let pages = DestinationPolicy(
        allowsPlainHTTP: false, ports: [], allowsPrivateAddresses: true)

    private mutating func readAPNs(_ settings: Settings) throws(ConfigurationError) {
        apnsAccount.environment = settings[Self.environment]
        apnsAccount.topic = settings[Self.topic]
        if let topic = apnsAccount.topic, !APNsAccount.isTopic(topic) {
            throw settings.refusal(Self.topic, value: topic, accepted: APNsAccount.acceptedTopic)
        }
        if let server = settings[Self.server] {
            guard let url = DestinationURL(server, policy: .anything), url.origin == server else {
                throw settings.refusal(
                    Self.server, value: server, accepted: "a URL without a path, as https://localhost:2197")
            }
            apnsAccount.server = server
        }
        guard let pem = try settings.contents(of: Self.keyFile) else { return }
        let (keyID, teamID) = (settings[Self.keyID] ?? "", settings[Self.teamID] ?? "")
        do throws(FieldFault) {
            apns = try APNsKey(keyID: keyID, teamID: teamID, pem: Secret(bytes: pem))
        } catch {
            let accepted = "with apns.keyFile set, \(error.accepted)"
            switch error.field {
            case "apns.key_id": throw settings.refusal(Self.keyID, value: keyID, accepted: accepted)
            case "apns.team_id": throw settings.refusal(Self.teamID, value: teamID, accepted: accepted)
            default:
                throw settings.refusal(
                    Self.keyFile, value: settings[Self.keyFile] ?? "", accepted: error.accepted)
            }
        }
    }

    private mutating func readVAPID(_ settings: Settings) throws(ConfigurationError) {
        vapidSubject = settings[Self.subject]
        if let text = settings[Self.vapid] {
            guard let key = Secret(base64: text) else {
                throw settings.refusal(Self.vapid, value: "", accepted: "Base64 of a private key of P-256")
            }
            vapidKey = key
        }
        do throws(FieldFault) {
            _ = try VAPIDKey(
                privateKey: vapidKey ?? VAPIDKey.newKey(), subject: vapidSubject ?? "https://example.org")
        } catch {
            if error.field == "vapid.key" {
                throw settings.refusal(Self.vapid, value: "", accepted: error.accepted)
            }
            throw settings.refusal(Self.subject, value: vapidSubject ?? "", accepted: error.accepted)
        }
    }

    /// Every key of it.
    static let keys: [ConfigurationKey] = [
        unsubscribe.key, teamID.key, keyID.key, keyFile.key, topic.key, environment.key, server.key,
        subject.key, vapid.key,
    ]

    private static let unsubscribe = Setting.optionalText(
        "mail.unsubscribePage", "Where a letter's link ends its channel; ?token=… is added.")
    private static let teamID = Setting.optionalText("apns.teamID", "The team's identifier at Apple.")
    private static let keyID = Setting.optionalText("apns.keyID", "The identifier of the key.")
    private static let keyFile = Setting.optionalText("apns.keyFile", "Apple's .p8 file with the key.")
    private static let topic = Setting.optionalText(
        "apns.topic", "The app's bundle identifier, for channels that name none.")
    private static let environment = Setting.choice(
        "apns.environment", default: APNsSettings.Environment.production,
        "Which of Apple's servers, for channels that name none.")
    private static let server = Setting.optionalText(
        "apns.server", "Another server instead of Apple's, for tests and relays.")
    private static let subject = Setting.optionalText(
        "vapid.subject", "Whom push services may write to; the sender of letters unless it is given.")
    private static let vapid = Setting.optionalText(
        "vapid.key", isSecret: true, "The private key for Web Push instead of the one that is kept.")
}
