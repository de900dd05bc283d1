import Instruments

/// Wallets, assets and accounts as dense numbers.
///
/// An account is a wallet's holding of one asset. Numbers are given in order of appearance.
struct LedgerNames: Sendable {
    private(set) var wallets: [String] = []
    private(set) var assets: [Asset] = []
    private(set) var isCurrency: [Bool] = []
    private(set) var accounts: [(wallet: Int32, asset: Int32)] = []
    private var walletNumbers: [String: Int32] = [:]
    private var assetNumbers: [Asset: Int32] = [:]
    private var accountNumbers: [UInt64: Int32] = [:]
    // The same names follow one another; what was found last is tried first.
    private var lastWallet: (name: String, number: Int32) = ("", -1)

    init() {}

    mutating func wallet(_ name: String) -> Int32 {
        if lastWallet.number >= 0, lastWallet.name == name { return lastWallet.number }
        let number =
            walletNumbers[name]
            ?? {
                let new = Int32(wallets.count)
                wallets.append(name)
                walletNumbers[name] = new
                return new
            }()
        lastWallet = (name, number)
        return number
    }

    mutating func asset(_ asset: Asset) -> Int32 {
        if let number = assetNumbers[asset] { return number }
        let new = Int32(assets.count)
        assets.append(asset)
        isCurrency.append(asset.isCurrency)
        assetNumbers[asset] = new
        return new
    }

    mutating func account(_ wallet: Int32, _ asset: Int32) -> Int32 {
        let key = UInt64(UInt32(bitPattern: wallet)) << 32 | UInt64(UInt32(bitPattern: asset))
        if let number = accountNumbers[key] { return number }
        let new = Int32(accounts.count)
        accounts.append((wallet, asset))
        accountNumbers[key] = new
        return new
    }

    /// The number of an asset that appears in the ledger.
    func number(of asset: Asset) -> Int32? { assetNumbers[asset] }

    func walletName(ofAccount account: Int32) -> String { wallets[Int(accounts[Int(account)].wallet)] }
    func asset(ofAccount account: Int32) -> Asset { assets[Int(accounts[Int(account)].asset)] }
    func isCurrency(account: Int32) -> Bool { isCurrency[Int(accounts[Int(account)].asset)] }
}
