import AlertStore
import Channels
import Credentials
import InstallationStore
import Instruments
import Logging
import Store

extension Notifier {
    /// What a message to a channel needs besides what it tells.
    ///
    /// - Throws: `StoreError` when a key is kept in the database and that is away; `FieldFault` when a key
    ///   is of no use.
    func context(of channel: Channel) async throws -> SendingContext {
        var context = SendingContext(now: clock())
        context.page = configuration.page
        context.sender = configuration.from
        context.isSilent = !channel.preferences.hasSound
        for need in channel.kind.needs {
            switch need {
            case .appleToken:
                context.apnsAccount = configuration.signing.apnsAccount
                context.apns = try signing.apns?.token(at: context.now)
                context.badge = 0  // It takes off the icon what was there before.
                guard channel.preferences.hasBadge else { break }
                context.badge = try await database.withSession { try $0.unseenFirings(of: channel.id) }
            case .browserKey:
                context.vapid = try await vapidKey()
                context.entropy = Secret(bytes: chance(48))
            case .unsubscribeLink:
                guard let page = configuration.signing.unsubscribePage else { break }
                context.unsubscribe = try await unsubscribeKey().link(to: channel.id.description, on: page)
            }
        }
        return context
    }

    /// Apple wants another token than the one that was used.
    func renewToken(after answer: Answer, _ context: SendingContext) {
        guard answer.wantsNewAPNsToken, let token = context.apns else { return }
        signing.apns?.refused(token, at: clock())
    }

    private func vapidKey() async throws -> VAPIDKey {
        if let known = signing.vapid { return known }
        let page = configuration.page.flatMap { $0.hasPrefix("https://") ? $0 : nil }
        let subject =
            configuration.signing.vapidSubject ?? configuration.from.map { "mailto:\($0.address)" } ?? page
        guard let subject else {
            throw FieldFault(
                "vapid.subject", nil, accepted: "the operator's address, such as mailto:ada@…")
        }
        let secret: Secret
        if let configured = configuration.signing.vapidKey {
            secret = configured
        } else {
            secret = try await kept(.vapid, orNew: VAPIDKey.newKey().bytes)
        }
        let key = try VAPIDKey(privateKey: secret, subject: subject)
        signing.vapid = key
        return key
    }

    private func unsubscribeKey() async throws -> UnsubscribeKey {
        if let known = signing.unsubscribe { return known }
        let key = UnsubscribeKey(try await kept(.unsubscribe, orNew: chance(UnsubscribeKey.size)))
        signing.unsubscribe = key
        return key
    }

    private func kept(_ name: KeptKey, orNew fresh: [UInt8]) async throws -> Secret {
        Secret(bytes: try await database.keptKey(name, orNew: fresh, by: composer.vault))
    }

    /// Seals what was stored before secrets were sealed, or with a former key; those of accounts are the
    /// gateway's.
    func sealSecrets() async {
        do {
            guard let vault = composer.vault else {
                guard try await database.hasSealedSecrets(of: [.alerts]) else { return }
                return logger.critical(
                    "Secrets are sealed, and there is no key file",
                    metadata: ["advice": "set BITPAL_KEY_FILE to the gateway's"])
            }
            let report = try await database.renewSecrets(by: vault, of: [.alerts])
            if let fault = report.fault {
                logger.critical(
                    "Secrets do not open", metadata: ["count": "\(report.closed.count)", "why": "\(fault)"])
            }
            guard report.renewed > 0 else { return }
            logger.notice("Secrets were sealed", metadata: ["count": "\(report.renewed)"])
        } catch {
            // They can be used as they are; the next start tries again.
            logger.warning("Secrets cannot be sealed", metadata: ["error": "\(error)"])
        }
    }

    /// Bytes fit for keys, whatever the generator of the jitter is.
    private func chance(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
