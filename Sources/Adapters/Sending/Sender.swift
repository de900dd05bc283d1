package import Channels
import Synchronization

/// Sends requests, letters and commands, and returns what was answered.
///
/// A request to an address of a user's is checked as RELIABILITY.md 6.3 asks: the name is looked up, every
/// address that it has must be allowed, and the connection is made to one of these very addresses, so that
/// a name that changes its mind in between leads nowhere else. Redirects are answers, not followed.
package final class Sender: Sendable {
    private let configuration: SenderConfiguration
    private let policy: DestinationPolicy
    /// Why an address that a name has may not be connected to.
    private let refusal: @Sendable (IPAddress) -> String?
    private let lookUp: @Sendable (String) async -> [IPAddress]
    private let loop: TransferLoop?

    /// Creates a sender; no thread and no connection exists before the first exchange.
    ///
    /// - Parameters:
    ///   - configuration: The limits.
    ///   - policy: Where requests to addresses of users may go.
    package convenience init(configuration: SenderConfiguration, policy: DestinationPolicy) {
        self.init(
            configuration: configuration, policy: policy,
            refusal: { policy.allowsPrivateAddresses ? nil : AddressRule.refusal(of: $0) },
            lookUp: NameLookup.addresses)
    }

    init(
        configuration: SenderConfiguration, policy: DestinationPolicy,
        refusal: @escaping @Sendable (IPAddress) -> String?,
        lookUp: @escaping @Sendable (String) async -> [IPAddress]
    ) {
        self.configuration = configuration
        self.policy = policy
        self.refusal = refusal
        self.lookUp = lookUp
        loop = TransferLoop(configuration)
    }

    deinit { loop?.close() }

    /// Refuses what is sent from now on and cancels what is under way.
    package func close() { loop?.close() }

    /// Sends once and waits for the answer.
    ///
    /// - Throws: ``SendFailure`` when there was none.
    package func send(_ outgoing: Outgoing) async throws(SendFailure) -> Answer {
        switch outgoing {
        case .request(let request): return try await send(request)
        case .mail(let mail):
            guard let relay = configuration.relay else {
                throw .unsupported("no mail relay is configured, see `mail.host`")
            }
            return try await exchange(.mail(mail, relay))
        case .command(let arguments, let input):
            return try await CommandRun.run(arguments, input: input, limits: configuration)
        }
    }

    private func send(_ request: OutgoingRequest) async throws(SendFailure) -> Answer {
        guard request.isOwnDestination else { return try await exchange(.request(request, at: nil)) }
        guard DestinationURL(request.url, policy: policy) != nil else {
            throw .forbidden("the URL is not one that requests may go to")
        }
        let destination = try Destination(url: request.url)
        let addresses = await lookUp(destination.host)
        guard let first = addresses.first else { throw .unresolved(host: destination.host) }
        for address in addresses {
            guard let reason = refusal(address) else { continue }
            // The same words whatever the address: no question to the operator's own names is answered.
            throw .forbidden(
                "\(destination.host) does not lead to a public address",
                detail: "\(destination.host) leads to \(address.inOptions): \(reason)")
        }
        return try await exchange(.request(request, at: first))
    }

    private func exchange(_ task: Transfer.Task) async throws(SendFailure) -> Answer {
        guard let loop else { throw .failed("libcurl could not be initialised") }
        let ticket = ExchangeTicket()
        let result: Result<Answer, SendFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let id = loop.submit(task) { continuation.resume(returning: $0) }
                if ticket.begin(id) { loop.cancel(id) }
            }
        } onCancel: {
            if let id = ticket.cancel() { loop.cancel(id) }
        }
        return try result.get()
    }
}

/// Brings an exchange's number and a cancellation together, whichever comes first.
private final class ExchangeTicket: Sendable {
    private let state = Mutex<(id: UInt64?, isCancelled: Bool)>((nil, false))

    /// Notes the number; `true` when the cancellation came before it.
    func begin(_ id: UInt64) -> Bool {
        state.withLock {
            $0.id = id
            return $0.isCancelled
        }
    }

    /// Notes the cancellation; the number if it is known.
    func cancel() -> UInt64? {
        state.withLock {
            $0.isCancelled = true
            return $0.id
        }
    }
}
