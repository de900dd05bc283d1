import Channels
import Operations
import Sending
import ServiceLifecycle

extension Gateway {
    /// Lets people sign in: who asks is found out from here on.
    ///
    /// - Returns: What runs besides.
    /// - Throws: `ConfigurationError` when the key file cannot be used.
    mutating func addAccounts() throws(ConfigurationError) -> [any Service] {
        let desk = try AccountDesk(services)
        useAccounts(desk)
        var running: [any Service] = [AccountTidying(services: services, hasher: desk.hasher)]
        if let mail = desk.configuration.mail, let vault = desk.vault {
            var configuration = SenderConfiguration()
            configuration.relay = mail.relay
            let sender = Sender(configuration: configuration, policy: .strict)
            running.append(
                LetterCarrier(
                    desk: desk, vault: vault, sender: mail.from, logger: services.logger,
                    send: { outgoing throws(SendFailure) in try await sender.send(outgoing) }))
        }
        return running
    }

    /// As ``addAccounts()``, with what is ready.
    mutating func useAccounts(_ desk: AccountDesk) {
        accounts = desk
        identify = Authentication(desk: desk).identify
    }

    /// Routes under `/v1/auth`, `/v1/account` and `/v1/operator`.
    func addAccountAreaRoutes(to routes: RouteTable) {
        guard let desk = accounts else { return }
        addSignUpRoutes(desk, to: routes)
        addSignInRoutes(desk, to: routes)
        addPasswordRoutes(desk, to: routes)
        addLetterRoutes(desk, to: routes)
        addAccountRoutes(desk, to: routes)
        addExportRoutes(desk, to: routes)
        addErasureRoutes(desk, to: routes)
        addTokenRoutes(desk, to: routes)
        addOneTimePasswordRoutes(desk, to: routes)
        addPasskeyRoutes(desk, to: routes)
        addAppleRoutes(desk, to: routes)
        addDeviceRoutes(desk, to: routes)
        addOperatorRoutes(desk, to: routes)
    }
}
