@testable import Accounts
@testable import GatewayFrame

/// What a person types about an account, a line each: address, password, name, zone, quiet hours, a flag.
enum AccountInput {
    static func read(_ bytes: [UInt8]) {
        let lines = bytes.lines(6)
        let email = try? EmailAddress(parsing: lines[0])
        let opinion = PasswordPolicy().opinion(of: lines[1], email: email)
        precondition((0...4).contains(opinion.score), "a strength of \(opinion.score)")
        if opinion.refusal == nil {
            let count = lines[1].unicodeScalars.count
            precondition((15...PasswordPolicy.longest).contains(count), "a password of \(count) characters")
        }
        try? NameRule.check(lines[2])
        readSettings(lines[3], lines[4])
        readFlag(lines[5])
    }

    private static func readSettings(_ zone: String, _ hours: String) {
        var settings = UserSettings()
        try? settings.set(timeZone: zone)
        try? settings.set(locale: zone)
        try? settings.set(baseCurrency: zone)
        try? settings.set(onboarding: zone.split(separator: ",").map(String.init))
        precondition(settings.onboarding.count <= 32, "more steps than there are")
        let parts = hours.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2,
            let quiet = try? UserSettings.QuietHours(from: String(parts[0]), to: String(parts[1]))
        else { return }
        precondition(quiet.texts == (String(parts[0]), String(parts[1])), "other hours")
    }

    private static func readFlag(_ text: String) {
        _ = try? Scope.read(text.split(separator: " ").map(String.init), for: .user)
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, let percentage = Int(parts[1]),
            let flag = try? FeatureFlag(name: parts[0], percentage: percentage)
        else { return }
        precondition(flag.isOn(for: "somebody") || flag.percentage < 100, "a flag that all have, but one")
        precondition(!flag.isOn(for: "somebody") || flag.percentage > 0, "a flag that none has, but one")
    }
}
