package import AccountStore
package import Credentials
package import Store

extension SealingContext {
    /// The secrets of a channel.
    package static func channel(_ id: UniqueID, of user: UserID) -> SealingContext {
        SealingContext(user: user.description, row: id.description, purpose: "channel")
    }

    /// The same channel's before it had an owner: one that the terminal made before there was an account.
    ///
    /// No other row's secret opens here, and none of somebody else.
    fileprivate var ownerless: SealingContext {
        SealingContext(user: UserID.localOperator.description, row: row, purpose: purpose)
    }
}

extension SealingKeys {
    /// Opens a channel's secret, whether it was sealed for its owner or before it had one.
    ///
    /// - Returns: `nil` where neither opens.
    package func opened(_ sealed: [UInt8], of channel: SealingContext) -> [UInt8]? {
        (try? open(sealed, for: channel)) ?? (try? open(sealed, for: channel.ownerless))
    }

    /// A channel's secret under the newest key, and for its owner.
    ///
    /// - Returns: `nil` when it is so already.
    /// - Throws: `SealingFault` when it does not open.
    package func renewed(_ sealed: [UInt8], of channel: SealingContext) throws(SealingFault) -> [UInt8]? {
        do throws(SealingFault) {
            return try renewed(sealed, for: channel)
        } catch {
            guard let secret = try? open(sealed, for: channel.ownerless) else { throw error }
            return try seal(secret, for: channel)
        }
    }
}
