package import Store

/// Who did something, with what, from where and by which command.
package struct AuditActor: Hashable, Sendable {
    /// Who that can be.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Somebody with an account, who is signed in, shows a token, or a link that is good once.
        case account
        /// Whoever works on the machine itself.
        case terminal
        /// A program of ours, for nobody who is known.
        case service
    }

    package private(set) var kind: Kind
    /// Whose account it is; `nil` for the others.
    package private(set) var user: UserID?
    /// The token that was shown.
    package private(set) var token: UniqueID?
    /// Where a request came from.
    package private(set) var address: String?
    /// A route, such as `DELETE /v1/account/tokens/{id}`, or a command, such as `bitpal restore`.
    package private(set) var command: String

    /// Somebody at the machine, by a command that needs no gateway.
    package static func terminal(_ command: String) -> AuditActor {
        AuditActor(kind: .terminal, command: command)
    }

    private init(kind: Kind, command: String) { (self.kind, self.command) = (kind, command) }

    /// Who sends a request.
    ///
    /// - Parameters:
    ///   - identity: What was shown to prove it.
    ///   - address: Where it came from; cut at 64 bytes.
    ///   - command: The route; cut at 120 bytes.
    package init(_ identity: Identity, from address: String, command: String) {
        self.init(kind: identity.isTerminal ? .terminal : .account, command: command.cut(to: 120))
        if !identity.isTerminal { user = identity.user }
        if case .token(let id) = identity.credential { token = id }
        self.address = address.cut(to: 64)
    }

    /// The same, where who asked has shown whose account it is, or has just made it.
    package func proven(_ user: UserID) -> AuditActor {
        AuditActor(kind: .account, user: user, token: nil, address: address, command: command)
    }

    /// The gateway by what a request makes it do that anybody may send.
    package init(gatewayAskedFrom address: String, command: String) {
        self.init(kind: .service, command: command.cut(to: 120))
        self.address = address.cut(to: 64)
    }

    /// A stored one.
    init(kind: Kind, user: UserID?, token: UniqueID?, address: String?, command: String) {
        self.init(kind: kind, command: command)
        (self.user, self.token, self.address) = (user, token, address)
    }

    /// The same under a key that is nobody's, with nothing from nowhere, where it is the one who was erased.
    package func erased(_ user: UserID, as pseudonym: UserID) -> AuditActor {
        guard self.user == user else { return self }
        return AuditActor(kind: kind, user: pseudonym, token: nil, address: nil, command: command)
    }
}
