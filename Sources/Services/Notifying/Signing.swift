import Channels

/// What a notifier signs with: kept for as long as it is the right one.
struct Signing: Sendable {
    /// For Apple's push service; `nil` where the operator has set up none.
    var apns: APNsTokens?
    /// For the push services of browsers; `nil` before it was needed.
    var vapid: VAPIDKey?
    /// For the links in letters; `nil` before it was needed.
    var unsubscribe: UnsubscribeKey?
}

/// The operator's part of it.
struct SigningConfiguration: Sendable {
    /// For Apple's push service.
    var apns: APNsKey?
    /// What else is set up there.
    var apnsAccount = APNsAccount()
    /// For the push services of browsers, instead of the key that is made once and kept.
    var vapidKey: Secret?
    /// Whom push services may write to, a `mailto:` or an https URL.
    var vapidSubject: String?
    /// Where a letter's link leads, without its token.
    var unsubscribePage: String?
}
