package import Bus

/// What a broker needs to be reached from other machines: its own keys, and whom it lets in.
package struct BrokerKeys: Sendable {
    package var pair: CurveKeyPair
    /// The folder with a file for each client, read again when it changes.
    package var allowedFolder: String

    package init(pair: CurveKeyPair, allowedFolder: String) {
        self.pair = pair
        self.allowedFolder = allowedFolder
    }

    /// Reads the broker's key file, and whether there is whom to let in.
    ///
    /// - Parameters:
    ///   - path: The broker's own file.
    ///   - folder: `nil` takes the folder `allowed` beside it.
    /// - Throws: ``BusError/keysInvalid(path:reason:)``.
    package init(file path: String, allowedFolder folder: String?) throws(BusError) {
        let keys = try BusKeys(file: path)
        guard keys.isServer else {
            throw .keysInvalid(
                path: path,
                reason: "it is a client's; the broker's is \(KeyFolder.broker).key of `bitpal keys init`")
        }
        pair = keys.pair
        allowedFolder = folder ?? KeyFolder.allowed(besideKeyFile: path)
        _ = try AllowList(folder: allowedFolder)
    }
}
