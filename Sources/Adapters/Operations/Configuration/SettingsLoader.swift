import Configuration

/// Checks every layer of a service's configuration against its keys.
struct SettingsLoader {
    private let service: String
    let keys: [ConfigurationKey]
    private let sources: ConfigurationSources
    private let prefix: String

    /// One layer: where each value stands, and what it is.
    private typealias Layer = [String: (source: String, raw: RawValue)]

    init(service: String, keys declared: [ConfigurationKey], sources: ConfigurationSources) {
        self.service = service
        self.sources = sources
        prefix = ServiceCatalogue.variablePrefix(of: service)
        keys = declared + SharedSettings.shared + [SharedSettings.operationsAddress(of: service).key]
        let repeated = Dictionary(grouping: keys, by: \.name).first { $0.value.count > 1 }
        precondition(repeated == nil, "\(repeated?.key ?? "") is declared twice")
    }

    /// - Throws: The first error, in an order that does not change between runs.
    func load() throws(ConfigurationError) -> Settings {
        try refuseUnknown()
        let layers: [(name: String, layer: Layer)] = [
            ("options", overrideLayer),
            ("environment", try environmentLayer(prefix: prefix, keys: keys)),
            (
                "shared environment",
                try environmentLayer(prefix: ServiceCatalogue.variablePrefix, keys: SharedSettings.shared)
            ),
            (sources.file?.path ?? "no file", fileLayer),
        ]
        var providers: [any ConfigProvider] = []
        var places: [String: String] = [:]
        for (name, layer) in layers {
            providers.append(InMemoryProvider(name: name, values: try checked(layer)))
            places.merge(layer.mapValues(\.source)) { stronger, _ in stronger }
        }
        if let key = keys.first(where: { $0.isRequired && places[$0.name] == nil }) {
            throw .missing(key: key.name, variable: prefix + key.variableSuffix, summary: key.summary)
        }
        return Settings(
            service: service, keys: keys, reader: ConfigReader(providers: providers), sources: places)
    }

    // MARK: Unknown names

    private func refuseUnknown() throws(ConfigurationError) {
        let known = Set(keys.map(\.name))
        for name in sources.overrides.keys.sorted() {
            precondition(
                known.contains(name), "an option of \(service) sets \(name), which it does not declare")
        }
        let variables = knownVariables
        for name in sources.environment.keys.sorted() where name.hasPrefix(ServiceCatalogue.variablePrefix) {
            guard !variables.contains(name), !belongsToAnother(name) else { continue }
            throw .unknownVariable(name, nearest: NearestName.of(name, among: variables))
        }
        guard let file = sources.file else { return }
        for name in file.values.keys.sorted() where !known.contains(name) {
            throw .unknownKey(name, file: file.path, nearest: NearestName.of(name, among: known))
        }
    }

    private var knownVariables: Set<String> {
        var names = ServiceCatalogue.foreignVariables
        names.insert(prefix + "CONFIG")
        for key in keys { names.formUnion(variables(of: key, prefix: prefix)) }
        for key in SharedSettings.shared {
            names.formUnion(variables(of: key, prefix: ServiceCatalogue.variablePrefix))
        }
        return names
    }

    private func variables(of key: ConfigurationKey, prefix: String) -> [String] {
        let name = prefix + key.variableSuffix
        return key.isSecret ? [name, name + "_FILE"] : [name]
    }

    /// Another service's variables are its own to judge.
    private func belongsToAnother(_ name: String) -> Bool {
        ServiceCatalogue.names.contains { other in
            let prefix = ServiceCatalogue.variablePrefix(of: other)
            return other != service && name.hasPrefix(prefix) && name != prefix
        }
    }

    // MARK: Layers

    private var overrideLayer: Layer {
        Layer(uniqueKeysWithValues: sources.overrides.map { ($0, ("the option \($0)", .text($1))) })
    }

    private var fileLayer: Layer {
        guard let file = sources.file else { return [:] }
        return Layer(uniqueKeysWithValues: file.values.map { ($0, ("\($0) in \(file.path)", $1)) })
    }

    private func environmentLayer(
        prefix: String, keys: [ConfigurationKey]
    ) throws(ConfigurationError) -> Layer {
        var layer: Layer = [:]
        for key in keys {
            let name = prefix + key.variableSuffix
            if let value = sources.environment[name], !value.isEmpty {
                layer[key.name] = (name, .text(value))
            } else if key.isSecret, let path = sources.environment[name + "_FILE"], !path.isEmpty {
                layer[key.name] = (name + "_FILE", .text(try secret(at: path)))
            }
        }
        return layer
    }

    /// The first line of a file of secrets, as `/run/secrets` holds them.
    private func secret(at path: String) throws(ConfigurationError) -> String {
        switch sources.readSecret(path) {
        case .success(let bytes):
            return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self).trimmedBlanks
        case .failure(let error):
            throw .fileUnreadable(path, reason: error.reason)
        }
    }

    // MARK: Values

    private func checked(_ layer: Layer) throws(ConfigurationError) -> [AbsoluteConfigKey: ConfigValue] {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for key in keys {
            guard let (source, raw) = layer[key.name] else { continue }
            guard let content = key.kind.content(of: raw) else {
                throw .invalidValue(
                    of: source, value: key.isSecret ? nil : raw.shown, accepted: key.kind.accepted)
            }
            values[AbsoluteConfigKey(key.configKey)] = ConfigValue(content, isSecret: key.isSecret)
        }
        return values
    }
}
