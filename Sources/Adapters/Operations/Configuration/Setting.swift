import Configuration

/// A ``ConfigurationKey`` with the type of its value; ``Settings`` is asked with it.
///
/// Declared once, as a static property of the configuration that reads it:
///
/// ```swift
/// static let depth = Setting.integer("snapshot.depth", default: 1000, in: 1...10_000, "Levels a side.")
/// ```
package struct Setting<Value: Sendable>: Sendable {
    /// The key as data.
    package let key: ConfigurationKey
    /// Reads the value out of the layers; `nil` when none has one and there is no default.
    let read: @Sendable (ConfigReader) -> Value?

    init(_ key: ConfigurationKey, read: @escaping @Sendable (ConfigReader) -> Value?) {
        self.key = key
        self.read = read
    }
}

extension ConfigurationKey {
    fileprivate init(
        _ name: String, _ kind: Kind, default text: String?, isRequired: Bool = false, isSecret: Bool = false,
        _ summary: String
    ) {
        self.init(
            name: name, kind: kind, summary: summary, defaultText: text, isRequired: isRequired,
            isSecret: isSecret)
    }
}

extension Setting<String> {
    /// A text with a default, or a required one when `value` is `nil`.
    package static func text(
        _ name: String, default value: String? = nil, isSecret: Bool = false, _ summary: String
    ) -> Setting {
        let key = ConfigurationKey(
            name, .text, default: value, isRequired: value == nil, isSecret: isSecret, summary)
        return Setting(key) { $0.string(forKey: key.configKey, isSecret: isSecret) ?? value }
    }

    /// One of a few words.
    ///
    /// - Precondition: `value` is one of `words`.
    package static func choice(
        _ name: String, of words: [String], default value: String, _ summary: String
    ) -> Setting {
        precondition(words.contains(value), "the default of \(name) is none of its choices")
        let key = ConfigurationKey(name, .choice(words), default: value, summary)
        return Setting(key) { $0.string(forKey: key.configKey) ?? value }
    }
}

extension Setting<String?> {
    /// A text that may be missing.
    package static func optionalText(_ name: String, isSecret: Bool = false, _ summary: String) -> Setting {
        let key = ConfigurationKey(name, .text, default: nil, isSecret: isSecret, summary)
        return Setting(key) { .some($0.string(forKey: key.configKey, isSecret: isSecret)) }
    }
}

extension Setting<Int> {
    /// A whole number in a range.
    ///
    /// - Precondition: `value` is in `range`.
    package static func integer(
        _ name: String, default value: Int, in range: ClosedRange<Int>, _ summary: String
    ) -> Setting {
        precondition(range.contains(value), "the default of \(name) is out of its range")
        let key = ConfigurationKey(name, .integer(range), default: "\(value)", summary)
        return Setting(key) { $0.int(forKey: key.configKey) ?? value }
    }
}

extension Setting<Bool> {
    /// `true` or `false`.
    package static func flag(_ name: String, default value: Bool, _ summary: String) -> Setting {
        let key = ConfigurationKey(name, .flag, default: "\(value)", summary)
        return Setting(key) { $0.bool(forKey: key.configKey) ?? value }
    }
}

extension Setting<Duration> {
    /// A time in a range, written as `250ms`, `5s`, `2m` or `1h`.
    ///
    /// - Precondition: `value` is in `range`.
    package static func duration(
        _ name: String, default value: Duration, in range: ClosedRange<Duration>, _ summary: String
    ) -> Setting {
        precondition(range.contains(value), "the default of \(name) is out of its range")
        let key = ConfigurationKey(name, .duration(range), default: DurationText.format(value), summary)
        return Setting(key) { $0.string(forKey: key.configKey).flatMap(DurationText.parse) ?? value }
    }
}

extension Setting<[String]> {
    /// Texts, separated by commas in a variable, an array in JSON.
    package static func list(_ name: String, default value: [String], _ summary: String) -> Setting {
        let key = ConfigurationKey(name, .list, default: value.joined(separator: ","), summary)
        return Setting(key) { $0.stringArray(forKey: key.configKey) ?? value }
    }
}

extension Setting<NetworkAddress> {
    /// `host:port`.
    ///
    /// - Precondition: `value` is one.
    package static func address(_ name: String, default value: String, _ summary: String) -> Setting {
        guard let address = NetworkAddress(value) else {
            preconditionFailure("the default of \(name) is not host:port")
        }
        let key = ConfigurationKey(name, .address, default: value, summary)
        return Setting(key) { $0.string(forKey: key.configKey).flatMap { NetworkAddress($0) } ?? address }
    }
}

extension Setting where Value: RawRepresentable<String> & CaseIterable {
    /// One case of an enumeration, by its raw value.
    package static func choice(_ name: String, default value: Value, _ summary: String) -> Setting {
        let words = Value.allCases.map(\.rawValue)
        let key = ConfigurationKey(name, .choice(words), default: value.rawValue, summary)
        return Setting(key) { $0.string(forKey: key.configKey).flatMap { Value(rawValue: $0) } ?? value }
    }
}
