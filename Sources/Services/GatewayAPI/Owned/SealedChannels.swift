import AlertStore
import Credentials
import GatewayFrame
import Store

extension Problem {
    /// Secrets cannot be kept here.
    static let noKeyFile = Problem(.unavailable, "this installation has no key file (accounts.keyFile)")
}

extension AlertStore.Channel {
    /// The channel with its secrets as its owner gave them.
    ///
    /// - Throws: `unavailable` when they do not open; who runs the installation has been told then.
    func readable(by vault: SecretVault?) throws(Problem) -> AlertStore.Channel {
        guard vault != nil || !secrets.isSealed else { throw .noKeyFile }
        do throws(SealingFault) {
            return try opened(by: vault)
        } catch {
            throw Problem(
                .unavailable, "the secrets of the channel \"\(name)\" cannot be read; give them anew")
        }
    }
}

extension Session {
    /// Stores a channel with its secrets sealed.
    ///
    /// - Throws: `unavailable` where there is nothing to seal them with, else `StoreError`.
    func put(_ channel: AlertStore.Channel, by vault: SecretVault?) throws {
        let sealed: AlertStore.Channel
        do throws(SealingFault) {
            sealed = try channel.sealed(by: vault)
        } catch {
            throw Problem.noKeyFile
        }
        try put(sealed)
    }
}
