extension Settings {
    /// What a command reads of this process's environment: the shared keys, as `bitpal up` has them.
    ///
    /// - Parameter overrides: The command's own options by key, which win over the environment.
    /// - Returns: The settings, without a file.
    /// - Throws: The first ``ConfigurationError`` found, also for a `BITPAL_…` variable that nothing reads.
    package static func ofCommand(overrides: [String: String] = [:]) throws(ConfigurationError) -> Settings {
        try load(service: "up", environment: ProcessEnvironment.current, overrides: overrides)
    }
}
