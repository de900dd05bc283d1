/// Apple's push service.
///
/// Source: developer.apple.com, "Handling notification responses from APNs".
enum APNsVerdict {
    private static let ends: Set<String> = [
        "BadDeviceToken", "DeviceTokenNotForTopic", "ExpiredToken", "Unregistered",
    ]
    /// Apple accepts one new token in 20 minutes.
    private static let tokenPause: Duration = .seconds(20 * 60)

    static func verdict(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict {
        let reason = said.member("reason") ?? ""
        if ends.contains(reason) || status == 410 { return .gone(said.sentence(status)) }
        switch reason {
        case "ExpiredProviderToken", "IdleTimeout", "Shutdown", "ServiceUnavailable", "InternalServerError":
            return .again(after: wait)
        case "TooManyProviderTokenUpdates": return .again(after: wait ?? tokenPause)
        default: return .ofStatus(status, wait, said)
        }
    }
}

extension Answer {
    /// Whether Apple wants another token: the one used is to be thrown away before the next attempt.
    public var wantsNewAPNsToken: Bool {
        status == 403 && AnswerText(self).member("reason") == "ExpiredProviderToken"
    }
}

/// The push services of browsers (RFC 8030, sections 5 and 7.3).
enum WebPushVerdict {
    static func verdict(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict {
        if status == 404 || status == 410 { return .gone("the browser's subscription has ended") }
        return .ofStatus(status, wait, said)
    }
}

/// Mail servers (RFC 5321, 4.2.1; enhanced codes of RFC 3463).
enum MailVerdict {
    /// Codes of a mailbox that is not there, moved or closed: bad address, bad system, moved, disabled.
    private static let ends: Set<String> = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"]

    static func verdict(_ answer: Answer) -> Verdict {
        let said = AnswerText(answer)
        switch answer.status {
        case 200...299: return .delivered
        case 500...599:
            let codes = said.text.split { !($0.isASCII && $0.isNumber) && $0 != "." }.map(String.init)
            if codes.contains(where: ends.contains) || answer.status == 551 {
                return .gone(said.sentence(answer.status))
            }
            return .refused(said.sentence(answer.status))
        default: return .again(after: nil)
        }
    }
}
