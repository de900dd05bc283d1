/// What the operator has set up for Apple's push service, besides the key.
package struct APNsAccount: Hashable, Sendable {
    /// The app's bundle identifier, for channels that name none.
    package var topic: String?
    /// Which of Apple's servers, for channels that name none.
    package var environment = APNsSettings.Environment.production
    /// Another server instead of Apple's two, for tests and relays: a scheme, host and port.
    package var server: String?

    /// Apple's servers, and no bundle identifier.
    package init() {}

    /// What ``isTopic(_:)`` accepts.
    package static let acceptedTopic = "a bundle identifier such as app.bitpal.ios, at most 155 bytes"

    /// Whether a text may be a bundle identifier.
    package static func isTopic(_ text: String) -> Bool {
        (1...155).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }

    /// Where requests for a device go.
    func origin(of environment: APNsSettings.Environment?) -> String {
        if let server { return server }
        switch environment ?? self.environment {
        case .production: return "https://api.push.apple.com"
        case .sandbox: return "https://api.sandbox.push.apple.com"
        }
    }
}
