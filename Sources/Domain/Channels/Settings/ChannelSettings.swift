/// Where and how somebody is told, by kind of channel.
public enum ChannelSettings: Hashable, Sendable {
    /// An HTTP request of Standard Webhooks.
    case webhook(WebhookSettings)
    /// A letter.
    case email(EmailSettings)
    /// A message of a Telegram bot.
    case telegram(TelegramSettings)
    /// A message to a topic of ntfy.
    case ntfy(NtfySettings)
    /// An incoming webhook of Slack: its whole URL is a secret.
    case slack(url: Secret)
    /// A webhook of Discord: its whole URL is a secret.
    case discord(url: Secret)
    /// A device at Apple's push service.
    case apns(APNsSettings)
    /// A browser.
    case webPush(WebPushSettings)
    /// A program of the operator's with arguments, see ``CommandMessage``.
    case command([String])
}

/// A receiver of Standard Webhooks.
public struct WebhookSettings: Hashable, Sendable {
    /// Where to.
    public var url: DestinationURL
    /// 1...4 keys of 24...64 bytes: each signs, so that a receiver can change from one to the next.
    public var keys: [Secret]
}

/// A mailbox.
public struct EmailSettings: Hashable, Sendable {
    /// An address without a name.
    public var to: String
    /// The person's name; may be empty.
    public var name: String
}

/// A chat with a bot.
public struct TelegramSettings: Hashable, Sendable {
    /// A number, negative for groups, or `@channelname`.
    public var chat: String
    /// A forum's thread.
    public var thread: Int64?
    /// The bot's token.
    public var token: Secret
}

/// A topic of an ntfy server.
public struct NtfySettings: Hashable, Sendable {
    /// The server.
    public var server: DestinationURL
    /// 1...64 letters, digits, hyphens and low lines.
    public var topic: String
    /// An access token, where the server asks for one.
    public var token: Secret?
}

/// A device, or a Live Activity on one.
public struct APNsSettings: Hashable, Sendable {
    /// Which of Apple's servers knows the token.
    public enum Environment: String, Hashable, Sendable, CaseIterable {
        /// Apps from the App Store and TestFlight.
        case production
        /// Apps from Xcode.
        case sandbox
    }

    /// What the token is for.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        /// Alerts.
        case alert
        /// Updates of one Live Activity, and its end.
        case liveActivity = "live_activity"
        /// Starts of Live Activities.
        case liveActivityStart = "live_activity_start"
    }

    /// The token of the device or the activity, in hexadecimal.
    public var device: Secret
    /// The app's bundle identifier; `nil` for the operator's.
    public var bundle: String?
    /// Which server; `nil` for the operator's choice.
    public var environment: Environment?
    /// What the token is for.
    public var form: Form
}

/// A browser's subscription (W3C Push API).
public struct WebPushSettings: Hashable, Sendable {
    /// Where to; whoever knows it can be told from others, so no log shows it.
    public var endpoint: DestinationURL
    /// The browser's public key: 65 bytes, uncompressed P-256.
    public var publicKey: [UInt8]
    /// The browser's shared secret: 16 bytes.
    public var authentication: Secret
}
