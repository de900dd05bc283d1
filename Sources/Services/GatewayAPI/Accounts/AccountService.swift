import AccountStore
import Accounts
import Credentials
import GatewayFrame
import Instruments
import Logging
import Metrics
import Operations
import Store

/// What the routes of accounts work with.
struct AccountService: Sendable {
    let database: Database
    let configuration: AccountConfiguration
    let hasher: PasswordHasher
    /// `nil` where no key file is configured.
    let vault: SecretVault?
    /// SHA-256 of the secret for whoever works on the machine itself; `nil` where no file is configured.
    let operatorToken: [UInt8]?
    /// Where browsers find the page, without a slash at the end.
    let origin: String
    /// What the links begin with that are handed to people; empty where that is not known.
    let linkBase: String
    /// Whom Apple vouches for; `nil` where that is not configured.
    var apple: AppleVerifier?
    /// Channels that a user may have, devices among them.
    let channelsPerUser: Int
    /// What else a user may have.
    let quotas: GatewayQuotas
    /// Connections of their own for exports.
    let slow: Database
    /// How long exports may take.
    let pools: GatewayPools
    /// How exports ended.
    let exports = ExportEnds()
    /// Carries the service's name.
    let logger: Logger
    /// The time of day.
    var clock: @Sendable () -> Timestamp

    /// Makes ready what accounts need.
    ///
    /// - Throws: `ConfigurationError` when the key file cannot be used.
    init(_ services: GatewayServices) throws(ConfigurationError) {
        database = services.database
        configuration = services.configuration.accounts
        hasher = PasswordHasher(configuration.hashing)
        do throws(SealingFault) {
            let logger = services.logger
            vault = try configuration.keyFile.map { path throws(SealingFault) in
                try SecretVault(file: path) { fault in
                    Counter(label: "gateway_secrets_closed_total").increment()
                    logger.critical(
                        "A sealed secret does not open", metadata: ["file": "\(path)", "why": "\(fault)"])
                }
            }
        } catch {
            throw ConfigurationError.unavailable(
                error.description, advice: "set BITPAL_KEY_FILE to a file of your own")
        }
        do throws(SealingFault) {
            operatorToken = try configuration.operatorTokenFile.map { path throws(SealingFault) in
                Secrets.digest(try OperatorTokenFile.made(path).secret)
            }
        } catch {
            throw ConfigurationError.unavailable(
                error.description,
                advice: "set BITPAL_GATEWAY_ACCOUNTS_OPERATOR_TOKEN_FILE to a file of your own")
        }
        let gateway = services.configuration.server
        origin = gateway.origin
        channelsPerUser = services.configuration.channelsPerUser
        quotas = services.configuration.quotas
        (slow, pools) = (services.slow, services.configuration.pools)
        let isKnown = gateway.pageURL != nil || gateway.address.isLoopback && gateway.address.port > 0
        linkBase = isKnown ? origin : ""
        clock = services.clock
        logger = services.logger
        apple = configuration.apple.map { AppleVerifier($0, clock: services.clock) }
    }

    /// A key that no row has.
    func newID(at now: Timestamp) -> UniqueID {
        var random = SystemRandomNumberGenerator()
        return UniqueID(version7At: now.nanoseconds, using: &random)
    }

    /// Runs a transaction whose refusals become problems.
    ///
    /// - Parameters:
    ///   - user: Whose rows it sees only; `nil` for all of them.
    ///   - options: How it is run, where it sees all.
    ///   - body: What it does.
    /// - Returns: What it returns.
    /// - Throws: `Problem` for what is refused, else `StoreError`.
    func change<Value: Sendable>(
        as user: UserID? = nil, _ options: TransactionOptions = .standard,
        _ body: @escaping @Sendable (borrowing Session) throws -> Value
    ) async throws -> Value {
        do {
            guard let user else {
                return try await database.transaction(options) { session in try body(session) }
            }
            return try await database.transaction(as: user) { session in try body(session) }
        } catch {
            throw Self.refusal(error)
        }
    }

    /// What is made in a transaction like that of ``change(as:_:_:)``.
    func creation<Answer: KeepableAnswer>(
        as user: UserID? = nil, _ make: @escaping @Sendable (borrowing Session) throws -> Answer
    ) -> Creation<Answer> {
        let options = TransactionOptions.standard
        return Creation(
            user.map { options.limited(to: $0.rawValue) } ?? options, refusal: { Self.refusal($0) }, make)
    }

    /// What an error of a transaction is for a client.
    private static func refusal(_ error: StoreError) -> any Error {
        switch error.bodyError {
        case let problem as Problem: problem
        case let refused as AccountRefused: Problem(refused)
        default: error
        }
    }

    /// The hash of a new password that the policy accepts.
    ///
    /// - Throws: `weak-password`, or `throttled` when too many are hashed.
    func hash(_ password: String, for email: EmailAddress?, field: String) async throws(Problem) -> String {
        try check(password, for: email, field: field)
        do throws(HashingRefused) {
            return try await hasher.hash(password)
        } catch {
            throw Problem(error)
        }
    }

    /// Whether the policy accepts a new password.
    ///
    /// - Throws: `weak-password`.
    func check(_ password: String, for email: EmailAddress?, field: String) throws(Problem) {
        do throws(FieldFault) {
            try configuration.policy.check(password, email: email, field: field)
        } catch {
            throw Problem(weak: error)
        }
    }

    /// An address out of a request.
    ///
    /// - Throws: `invalid-field`.
    static func email(_ text: String) throws(Problem) -> EmailAddress {
        do throws(FieldFault) {
            return try EmailAddress(parsing: text)
        } catch {
            throw Problem(inWordsOf: error)
        }
    }
}

extension Problem {
    /// Too many passwords at once.
    init(_ refused: HashingRefused) {
        self.init(refused == .busy ? .throttled : .unavailable, refused.description)
        retryAfter = 1
    }

    /// What the store refused.
    init(_ refused: AccountRefused) {
        switch refused {
        case .fault(let fault): self.init(inWordsOf: fault)
        case .emailTaken, .passkeyTaken, .appleTaken: self.init(.duplicate, refused.description)
        case .noSuchAccount: self.init(.notFound, refused.description)
        case .quota(let fault): self.init(fault)
        case .lastOperator, .onlyWayIn: self.init(.conflict, refused.description)
        }
    }

    /// Whoever asks is not let in; the same for every reason.
    static let wrongPassword = Problem(.unauthenticated, "the address or the password is wrong")
}
