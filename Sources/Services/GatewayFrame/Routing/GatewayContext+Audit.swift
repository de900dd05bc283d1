package import AccountStore

extension GatewayContext {
    /// Who asks, as the audit log tells it.
    ///
    /// - Throws: `unauthenticated`; routes that ask for a scope or a session never see it.
    package var actor: AuditActor {
        get throws(Problem) { AuditActor(try who, from: client, command: command) }
    }

    /// Who asks where nobody has to be signed in: the one whose account is made or was shown to be theirs.
    package func actor(of user: UserID) -> AuditActor { gatewayAsActor.proven(user) }

    /// The gateway, where nobody knows who asks.
    package var gatewayAsActor: AuditActor { AuditActor(gatewayAskedFrom: client, command: command) }
}
