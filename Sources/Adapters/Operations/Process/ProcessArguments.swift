/// An argument of a program that stands for a key of its configuration, such as `--seed 7`.
package struct ProcessOption: Sendable, Hashable {
    /// As it is written, with both dashes.
    package let name: String
    /// What it sets; where that is a list, the argument may be repeated.
    package let key: ConfigurationKey

    package init(name: String, key: ConfigurationKey) {
        self.name = name
        self.key = key
    }
}

/// The few arguments of a service's executable.
struct ProcessArguments: Sendable, Hashable {
    var configurationPath: String?
    var asksForHelp = false
    var asksForVersion = false
    /// Values by key, of the options that the program has of its own.
    private(set) var overrides: [String: String] = [:]

    /// Reads `--config PATH`, `--config=PATH`, `--version`, `--help`, `-h`, and the program's own options as
    /// `--name VALUE` or `--name=VALUE`.
    ///
    /// - Parameters:
    ///   - arguments: Without the program's name.
    ///   - options: Those of its own.
    /// - Throws: ``ConfigurationError/unknownArgument(_:)`` for anything else, also for a missing value.
    init(_ arguments: [String], options: [ProcessOption] = []) throws(ConfigurationError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": asksForHelp = true
            case "--version": asksForVersion = true
            default: try read(argument, before: &rest, options)
            }
        }
    }

    private mutating func read(
        _ argument: String, before rest: inout ArraySlice<String>, _ options: [ProcessOption]
    ) throws(ConfigurationError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        let option = options.first { $0.name == name }
        guard option != nil || name == "--config" else { throw .unknownArgument(argument) }
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst(), !value.isEmpty else {
            throw .unknownArgument("\(name) without a \(option == nil ? "path" : "value")")
        }
        guard let key = option?.key else { return configurationPath = value }
        guard let earlier = overrides[key.name] else { return overrides[key.name] = value }
        guard key.kind == .list else { throw .unknownArgument("\(name) a second time") }
        overrides[key.name] = "\(earlier),\(value)"
    }
}
