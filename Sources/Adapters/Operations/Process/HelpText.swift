/// What `--help` prints.
enum HelpText {
    /// Usage with the options of its own, and every key with its variable, what it accepts, its default and
    /// its purpose.
    static func of(service: String, keys: [ConfigurationKey], options: [ProcessOption] = []) -> String {
        let own = options.map { option in
            let mark = option.key.kind == .list ? " …" : ""
            return " [\(option.name) \(option.key.name.uppercased())]\(mark)"
        }.joined()
        var text = """
            usage: \(service) [--config PATH]\(own) [--version] [--help]

            Reads PATH, or services/\(service)/config.json where that exists; variables win over it.
            Exits with 0 after SIGTERM or SIGINT, 78 for a configuration error, 70 for any other failure.


            """
        for key in keys {
            let owner = SharedSettings.shared.contains(key) ? ServiceCatalogue.variablePrefix : nil
            let variable = (owner ?? ServiceCatalogue.variablePrefix(of: service)) + key.variableSuffix
            let fallback = key.isRequired ? "required" : key.defaultText.map { "default \($0)" } ?? "optional"
            text += "  \(key.name)  (\(variable))\n      \(key.summary)\n"
            text += "      \(key.kind.accepted); \(fallback)"
            text += key.isSecret ? "; secret, also \(variable)_FILE\n" : "\n"
        }
        return text
    }
}
