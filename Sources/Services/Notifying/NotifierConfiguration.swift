import Channels
import Instruments
package import Operations
import Sending

/// How a notifier tells.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `poll.interval` | duration | 100ms | 1 ms...5 s |
/// | `claim.lease` | duration | 60s | 2 s...1 h, at least twice `attempts.timeout` |
/// | `attempts.timeout` | duration | 15s | 1 s...1 m |
/// | `attempts.concurrent` | integer | 256 | 1...4096 |
/// | `attempts.perReceiver` | integer | 4 | 1...4, by one channel |
/// | `attempts.perSecond` | integer | 50 | 1...1000000, by one channel |
/// | `users.perHour` | integer | 240 | 1...1000000, by all channels of a user |
/// | `addresses.allowPrivate` | flag | false | |
/// | `tls.roots` | text | the system's | a PEM file |
/// | `page.url` | text | none | where alerts are seen; without a path the gateway's `page.url` |
/// | `mail.host` | text | none | |
/// | `mail.port` | integer | 587 | 1...65535 |
/// | `mail.security` | choice | starttls | tls, starttls, none |
/// | `mail.user` | text | none | |
/// | `mail.password` | secret | none | |
/// | `mail.from` | text | none | an address |
/// | `mail.name` | text | Bitpal | |
/// | `mail.unsubscribePage` | text | of `page.url` | an https URL; `?token=…` is added |
/// | `apns.teamID` | text | none | ten capital letters and digits |
/// | `apns.keyID` | text | none | ten capital letters and digits |
/// | `apns.keyFile` | text | none | Apple's .p8 file |
/// | `apns.topic` | text | none | a bundle identifier |
/// | `apns.environment` | choice | production | production, sandbox |
/// | `apns.server` | text | Apple's | a URL without a path |
/// | `vapid.subject` | text | `mail.from`, else `page.url` | a mailto: or https URL |
/// | `vapid.key` | secret | made once and kept | Base64 of 32 bytes |
package struct NotifierConfiguration: Sendable {
    /// How often the database is asked for what is due.
    ///
    /// Whoever stores firings says so, but what is said may be lost.
    var pollInterval = Duration.milliseconds(100)
    /// How long a claim lasts when its notifier is gone.
    var lease = Duration.seconds(60)
    /// How much is sent at once.
    var dispatch = DispatchLimits()
    /// Messages about firings that a user is told within an hour, by all channels; then no more is told until
    /// the hour is over.
    var perUser = 240
    /// The limits of an attempt.
    var sender = SenderConfiguration()
    /// Where addresses of users may lead.
    var policy = DestinationPolicy.strict
    /// What messages need besides what they tell.
    var page: String?
    /// From whom letters come.
    var from: MailSender?
    /// What pushes and links are signed with.
    var signing = SigningConfiguration()
    /// The file with the keys that secrets are sealed with; without one only what is not sealed can be told.
    package var keyFile: String?
    /// Outcomes that are not written yet, before no more is claimed.
    var unwrittenLimit = 1_000
    /// How long attempts may go on after we were asked to stop.
    var stopGrace = Duration.milliseconds(1_500)

    package init() {}

    /// Reads what was configured.
    ///
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    package init(settings: Settings) throws(ConfigurationError) {
        pollInterval = settings[Self.poll]
        lease = settings[Self.claimLease]
        sender.timeout = settings[Self.timeout]
        dispatch.attemptTime = sender.timeout.nanoseconds
        guard lease >= sender.timeout * 2 else {
            throw settings.refusal(
                Self.claimLease, value: "\(lease)", accepted: "at least twice attempts.timeout")
        }
        dispatch.concurrent = settings[Self.concurrent]
        dispatch.perChannel = settings[Self.perReceiver]
        dispatch.perSecond = settings[Self.perSecond]
        perUser = settings[Self.usersPerHour]
        policy = settings[Self.allowPrivate] ? .anything : .strict
        sender.trustRoots = settings[Self.roots]
        page = settings[Self.pageURL]
        if let page, DestinationURL(page, policy: .anything) == nil {
            throw settings.refusal(Self.pageURL, value: page, accepted: "an http or https URL")
        }
        try readMail(settings)
        signing = try SigningConfiguration(settings: settings)
        keyFile = settings[SharedSettings.keyFile]
        guard let origin = page, DestinationURL(origin, policy: .anything)?.origin == origin else { return }
        page = nil
        lead(to: origin)
    }

    private mutating func readMail(_ settings: Settings) throws(ConfigurationError) {
        guard let host = settings[Self.mailHost] else { return }
        sender.relay = MailRelay(
            host: host, port: settings[Self.mailPort], security: settings[Self.mailSecurity],
            user: settings[Self.mailUser], password: settings[Self.mailPassword])
        let address = settings[Self.mailFrom] ?? ""
        do throws(FieldFault) {
            from = try MailSender(address: address, name: settings[Self.mailName])
        } catch {
            throw settings.refusal(
                Self.mailFrom, value: address, accepted: "with mail.host set, \(error.accepted)")
        }
    }

    /// Leads people to the gateway's page, unless they are led elsewhere already.
    ///
    /// - Parameter origin: Such as `https://bitpal.example`; letters can be ended there only by https.
    package mutating func lead(to origin: String) {
        page = page ?? origin + "/alert"
        guard signing.unsubscribePage == nil, origin.hasPrefix("https://") else { return }
        signing.unsubscribePage = origin + "/unsubscribe"
    }

    /// Every key that a notifier reads.
    package static let keys: [ConfigurationKey] =
        [
            poll.key, claimLease.key, timeout.key, concurrent.key, perReceiver.key, perSecond.key,
            usersPerHour.key, allowPrivate.key, roots.key, pageURL.key, mailHost.key, mailPort.key,
            mailSecurity.key,
            mailUser.key, mailPassword.key, mailFrom.key, mailName.key,
        ] + SigningConfiguration.keys

    private static let poll = Setting.duration(
        "poll.interval", default: .milliseconds(100), in: .milliseconds(1) ... .seconds(5),
        "How often the database is asked for what is due.")
    private static let claimLease = Setting.duration(
        "claim.lease", default: .seconds(60), in: .seconds(2) ... .seconds(3_600),
        "How long a claim lasts when its notifier is gone.")
    private static let timeout = Setting.duration(
        "attempts.timeout", default: .seconds(15), in: .seconds(1) ... .seconds(60),
        "How long an attempt may take.")
    private static let concurrent = Setting.integer(
        "attempts.concurrent", default: 256, in: 1...4_096, "Attempts under way in all.")
    private static let perReceiver = Setting.integer(
        "attempts.perReceiver", default: 4, in: 1...4, "Attempts under way by one channel.")
    private static let perSecond = Setting.integer(
        "attempts.perSecond", default: 50, in: 1...1_000_000, "Attempts by one channel a second.")
    private static let usersPerHour = Setting.integer(
        "users.perHour", default: 240, in: 1...1_000_000,
        "Messages about firings within an hour to one user, by all channels.")
    private static let allowPrivate = Setting.flag(
        "addresses.allowPrivate", default: false,
        "Whether users' addresses may lead to this machine and its network, by http too and on any port.")
    private static let roots = Setting.optionalText(
        "tls.roots", "A PEM file with the only certificates trusted, instead of the system's.")
    private static let pageURL = Setting.optionalText(
        "page.url",
        "Where a person looks at alerts, ?id=… is added; or the gateway's page.url, without a path.")
    private static let mailHost = Setting.optionalText("mail.host", "Where letters are handed in.")
    private static let mailPort = Setting.integer(
        "mail.port", default: 587, in: 1...65_535, "The port there.")
    private static let mailSecurity = Setting.choice(
        "mail.security", default: MailRelay.Security.starttls,
        "TLS from the start, from STARTTLS on, or never.")
    private static let mailUser = Setting.optionalText("mail.user", "The name for handing in.")
    private static let mailPassword = Setting.optionalText(
        "mail.password", isSecret: true, "The password for handing in.")
    private static let mailFrom = Setting.optionalText("mail.from", "The address that letters come from.")
    private static let mailName = Setting.text(
        "mail.name", default: "Bitpal", "The name that stands before it.")
}
