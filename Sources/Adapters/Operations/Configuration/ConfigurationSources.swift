import JSON

/// Where values come from, strongest first: overrides, environment, file; defaults are in the keys.
struct ConfigurationSources: Sendable {
    /// Options of a command that starts services itself; named like keys.
    var overrides: [String: String] = [:]
    /// The process's environment.
    var environment: [String: String] = [:]
    /// The file, if there is one.
    var file: ConfigurationFile?
    /// Reads what a `…_FILE` variable names.
    var readSecret: @Sendable (String) -> Result<[UInt8], FileError> = {
        SmallFile.read($0, limit: 64 * 1024)
    }
}

/// A configuration file: JSON objects, flattened to dotted keys.
struct ConfigurationFile: Sendable, Hashable {
    /// Larger files are refused.
    static let limit = 1 << 20

    let path: String
    let values: [String: RawValue]

    /// - Throws: ``ConfigurationError/fileMalformed(_:line:column:reason:)``.
    init(path: String, bytes: [UInt8]) throws(ConfigurationError) {
        self.path = path
        do throws(JSONFault) {
            values = try JSONDocument.flatten(bytes)
        } catch {
            throw .fileMalformed(
                path, line: error.place.line, column: error.place.column, reason: error.reason)
        }
    }

    /// Reads a file.
    ///
    /// - Throws: ``ConfigurationError`` when it cannot be read or is not JSON.
    init(path: String) throws(ConfigurationError) {
        switch SmallFile.read(path, limit: Self.limit) {
        case .success(let bytes): try self.init(path: path, bytes: bytes)
        case .failure(let error): throw .fileUnreadable(path, reason: error.reason)
        }
    }

    /// The file to use: the one asked for, else `services/<service>/config.json` where that exists.
    ///
    /// - Throws: When the file asked for cannot be read.
    static func find(asked: String?, service: String) throws(ConfigurationError) -> ConfigurationFile? {
        if let asked { return try ConfigurationFile(path: asked) }
        let usual = "services/\(service)/config.json"
        guard SmallFile.exists(usual) else { return nil }
        return try ConfigurationFile(path: usual)
    }
}
