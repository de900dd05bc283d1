/// The few arguments of a service's executable.
struct ProcessArguments: Sendable, Hashable {
    var configurationPath: String?
    var asksForHelp = false
    var asksForVersion = false

    /// Reads `--config PATH`, `--config=PATH`, `--version`, `--help` and `-h`.
    ///
    /// - Throws: ``ConfigurationError/unknownArgument(_:)`` for anything else, also for a missing path.
    init(_ arguments: [String]) throws(ConfigurationError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h":
                asksForHelp = true
            case "--version":
                asksForVersion = true
            case "--config":
                guard let path = rest.popFirst(), !path.isEmpty else {
                    throw .unknownArgument("--config without a path")
                }
                configurationPath = path
            default:
                guard argument.hasPrefix("--config="), argument.utf8.count > 9 else {
                    throw .unknownArgument(argument)
                }
                configurationPath = String(argument.dropFirst(9))
            }
        }
    }
}
