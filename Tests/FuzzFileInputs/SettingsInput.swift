@testable import Operations

/// The configuration of a service that has a key of each kind.
///
/// Either it is refused, or every key has a value that the key takes: nothing is read twice, once to be
/// checked and once to be used, and differently.
enum SettingsInput {
    private static let service = "notifier"
    private static let text = Setting.optionalText("one.text", "A text.")
    private static let secret = Setting.optionalText("one.secret", isSecret: true, "A secret.")
    private static let choice = Setting.choice("one.choice", of: ["red", "green"], default: "red", "A word.")
    private static let integer = Setting.integer("one.integer", default: 5, in: 1...5_000, "A number.")
    private static let flag = Setting.flag("two.flag", default: false, "Yes or no.")
    private static let duration = Setting.duration(
        "two.duration", default: .seconds(5), in: .milliseconds(1) ... .seconds(3_600), "A time.")
    private static let list = Setting.list("two.deeper.list", default: ["a"], "Texts.")
    private static let address = Setting.address("two.address", default: "127.0.0.1:80", "A place.")
    private static let keys = [
        text.key, secret.key, choice.key, integer.key, flag.key, duration.key, list.key, address.key,
    ]

    static func readFile(_ bytes: [UInt8]) {
        guard let file = try? ConfigurationFile(path: "config.json", bytes: bytes) else { return }
        check(ConfigurationSources(file: file))
    }

    /// Lines `NAME=VALUE`, of the service's variables; what follows an empty line is the file of each secret.
    static func readEnvironment(_ bytes: [UInt8]) {
        let prefix = ServiceCatalogue.variablePrefix(of: service)
        var environment: [String: String] = [:]
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A), end > rest.startIndex {
            let parts = rest[..<end].split(separator: UInt8(ascii: "="), maxSplits: 1)
            rest = rest[(end + 1)...]
            guard parts.count == 2 else { continue }
            environment[prefix + String(decoding: parts[0], as: UTF8.self)] = String(
                decoding: parts[1], as: UTF8.self)
        }
        let secret = Array(rest.dropFirst())
        check(ConfigurationSources(environment: environment, readSecret: { _ in .success(secret) }))
    }

    private static func check(_ sources: ConfigurationSources) {
        let loaded: Settings
        do throws(ConfigurationError) {
            loaded = try SettingsLoader(service: service, keys: keys, sources: sources).load()
        } catch {
            precondition(!error.description.isEmpty, "refused without a word")
            return
        }
        _ = (loaded[text], loaded[secret], loaded[flag], loaded[list])
        precondition(["red", "green"].contains(loaded[choice]), "a word that is none of the choices")
        precondition((1...5_000).contains(loaded[integer]), "a number out of its range")
        let time = loaded[duration]
        precondition((.milliseconds(1) ... .seconds(3_600)).contains(time), "a time out of its range")
        precondition(DurationText.parse(DurationText.format(time)) == time, "a time changed on its way")
        let place = loaded[address]
        precondition(NetworkAddress(place.description) == place, "an address changed on its way")
        _ = place.isLoopback
    }
}
