import Channels
import GatewayFrame
import Operations
import Sending
import ServiceLifecycle

extension Gateway {
    /// Lets people sign in: who asks is found out from here on.
    ///
    /// - Returns: What runs besides.
    /// - Throws: `ConfigurationError` when the key file cannot be used.
    mutating func addAccounts() throws(ConfigurationError) -> [any Service] {
        let accountService = try AccountService(services)
        useAccounts(accountService)
        var running: [any Service] = [
            AccountExpiry(services: services, hasher: accountService.hasher, vault: accountService.vault)
        ]
        if let mail = accountService.configuration.mail, let vault = accountService.vault {
            var configuration = SenderConfiguration()
            configuration.relay = mail.relay
            let sender = Sender(configuration: configuration, policy: .strict)
            running.append(
                AccountLetterSender(
                    accountService: accountService, vault: vault, sender: mail.from, logger: services.logger,
                    send: { outgoing throws(SendFailure) in try await sender.send(outgoing) }))
        }
        return running
    }

    /// As ``addAccounts()``, with what is ready.
    mutating func useAccounts(_ accountService: AccountService) {
        accounts = accountService
        identify = Authentication(accountService: accountService).identify
    }

    /// Routes under `/v1/auth`, `/v1/account` and `/v1/operator`.
    func addAccountAreaRoutes(to routes: RouteTable) {
        guard let accountService = accounts else { return }
        addSignUpRoutes(accountService, to: routes)
        addSignInRoutes(accountService, to: routes)
        addPasswordRoutes(accountService, to: routes)
        addLetterRoutes(accountService, to: routes)
        addAccountRoutes(accountService, to: routes)
        addExportRoutes(accountService, to: routes)
        addErasureRoutes(accountService, to: routes)
        addTokenRoutes(accountService, to: routes)
        addOneTimePasswordRoutes(accountService, to: routes)
        addPasskeyRoutes(accountService, to: routes)
        addAppleRoutes(accountService, to: routes)
        addDeviceRoutes(accountService, to: routes)
        addOperatorRoutes(accountService, to: routes)
        addAuditRoutes(accountService, to: routes)
    }
}
