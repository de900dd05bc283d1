import AccountStore
import Accounts
import Channels
import Credentials
import Encodings
import InstallationStore
import Instruments
import Logging
import Sending
import ServiceLifecycle
import Store

/// Sends the letters that accounts are written: each until a relay has taken it, or its link is over.
///
/// Several gateways may do so at once: a letter is taken by one, and comes back when that one is gone.
struct AccountLetterSender: Service {
    /// How often the database is asked for what is due.
    static let interval = Duration.seconds(1)
    /// Nanoseconds in which an attempt must be over.
    static let lease: Int64 = 60_000_000_000

    let accountService: AccountService
    let vault: SecretVault
    let sender: MailSender
    let logger: Logger
    let send: @Sendable (Outgoing) async throws(SendFailure) -> Answer

    /// Runs until the process stops.
    func run() async {
        while !Task.isCancelled {
            do throws(StoreError) {
                try await carry()
            } catch {
                guard !Task.isCancelled else { return }
                logger.warning("Letters cannot be read", metadata: ["error": "\(error)"])
            }
            do {
                try await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.interval) }
            } catch {
                return
            }
        }
    }

    /// Sends what is due now.
    func carry() async throws(StoreError) {
        // One by one: while one is sent, the link of the next may be withdrawn, and then it must not go.
        while !Task.isCancelled {
            let now = accountService.clock()
            let due = try await accountService.database.transaction { session in
                try session.takeLetters(limit: 1, at: now, lease: Self.lease)
            }
            guard let letter = due.first else { return }
            try await carry(letter, at: now)
        }
    }

    private func carry(_ due: DueLetter, at now: Timestamp) async throws(StoreError) {
        let problem = await attempt(due, at: now)
        let id = due.letter.id
        guard let problem else {
            return try await accountService.database.withSession { session in try session.finishLetter(id) }
        }
        logger.warning(
            "A letter was not sent",
            metadata: ["letter": "\(id)", "attempt": "\(due.attempts)", "why": "\(problem)"])
        // 4 s, 8 s, 16 s … 17 min.
        let pause = Int64(2) << Int64(min(due.attempts, 9)) * 1_000_000_000
        try await accountService.database.withSession { session in
            try session.postponeLetter(id, until: now.adding(nanoseconds: pause), problem: problem)
        }
    }

    /// Why a letter was not taken; `nil` when it was.
    private func attempt(_ due: DueLetter, at now: Timestamp) async -> String? {
        let letter = due.letter
        let secret: [UInt8]
        do throws(SealingFault) {
            secret = try vault.open(letter.sealed, for: .letter(letter.id, to: letter.user))
        } catch {
            return error.description
        }
        let page = letter.kind == .reset ? "reset" : "verify"
        let link =
            "\(accountService.origin)/\(page)#token=\(Base64URL.text(secret))"
        let text = AccountLetterText.text(letter.kind, in: due.locale)
        let mail = MailMessage.letter(
            letter.id.description, to: due.email.text, text, link: link, from: sender, at: now)
        do throws(SendFailure) {
            let answer = try await send(.mail(mail))
            return (200..<300).contains(answer.status) ? nil : "the relay answered \(answer.status)"
        } catch {
            return "\(error)"
        }
    }
}
