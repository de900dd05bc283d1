extension Settings {
    /// The bytes of the file that a setting names, such as a key in PEM, which no variable can hold.
    ///
    /// - Parameter setting: Holds a path.
    /// - Returns: At most 64 KiB; `nil` when the setting has no value.
    /// - Throws: `ConfigurationError` when the file cannot be read or is longer.
    package func contents(of setting: Setting<String?>) throws(ConfigurationError) -> [UInt8]? {
        guard let path = self[setting] else { return nil }
        switch SmallFile.read(path, limit: 64 << 10) {
        case .success(let bytes): return bytes
        case .failure(let error): throw .fileUnreadable(path, reason: error.reason)
        }
    }
}
