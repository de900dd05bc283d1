package import Configuration

/// The checked configuration of one service: every value is known to be of its type and in its range.
///
/// Layers, strongest first: options of the command, `BITPAL_<SERVICE>_<KEY>`, `BITPAL_<KEY>` for shared keys,
/// `config.json`, the default in the key. An empty variable counts as one that is not set.
package struct Settings: Sendable {
    package let service: String
    /// Every key that the service reads, shared ones included, in the order declared.
    package let keys: [ConfigurationKey]
    /// The layers as swift-configuration reads them.
    package let reader: ConfigReader
    private let sources: [String: String]

    init(service: String, keys: [ConfigurationKey], reader: ConfigReader, sources: [String: String]) {
        self.service = service
        self.keys = keys
        self.reader = reader
        self.sources = sources
    }

    /// The value of a setting.
    ///
    /// - Precondition: Its key was declared when the settings were loaded.
    package subscript<Value: Sendable>(_ setting: Setting<Value>) -> Value {
        precondition(
            keys.contains { $0.name == setting.key.name }, "\(setting.key.name) is not declared by \(service)"
        )
        guard let value = setting.read(reader) else {
            // Loading refuses a required key without a value, so that only a bug comes here.
            preconditionFailure("\(setting.key.name) of \(service) has no value")
        }
        return value
    }

    /// Whether somebody has set it, to whatever value: an option, a variable or a file.
    package func isSet<Value: Sendable>(_ setting: Setting<Value>) -> Bool {
        sources[setting.key.name] != nil
    }

    /// The error for a value that only the service can judge (an instrument's name, a URL).
    ///
    /// - Parameters:
    ///   - setting: The setting that has the value.
    ///   - value: The part that is refused; not shown for a secret.
    ///   - accepted: What would be accepted.
    /// - Returns: An error that names the place where the value stands.
    package func refusal<Value: Sendable>(
        _ setting: Setting<Value>, value: String, accepted: String
    ) -> ConfigurationError {
        .invalidValue(
            of: sources[setting.key.name] ?? "the default of \(setting.key.name)",
            value: setting.key.isSecret ? nil : "\"\(value)\"", accepted: accepted)
    }

    /// The variable that sets a key of this service, for messages: `BITPAL_BUS_BROKER_OPERATIONS_ADDRESS`.
    package func variable<Value: Sendable>(for setting: Setting<Value>) -> String {
        ServiceCatalogue.variablePrefix(of: service) + setting.key.variableSuffix
    }

    /// Checks and layers the configuration of a service, without a file: for tests, and for parts of a
    /// process.
    ///
    /// - Parameters:
    ///   - service: Its name in ``ServiceCatalogue``.
    ///   - keys: What it declares; the shared keys are added.
    ///   - environment: The variables; only those that begin with `BITPAL_` matter.
    ///   - overrides: Values by key that win over the environment.
    /// - Returns: The checked settings.
    /// - Throws: The first ``ConfigurationError`` found.
    package static func load(
        service: String, keys: [ConfigurationKey] = [], environment: [String: String] = [:],
        overrides: [String: String] = [:]
    ) throws(ConfigurationError) -> Settings {
        let sources = ConfigurationSources(overrides: overrides, environment: environment)
        return try SettingsLoader(service: service, keys: keys, sources: sources).load()
    }
}
