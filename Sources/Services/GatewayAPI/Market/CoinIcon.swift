import Encodings
import Instruments
import MarketStore

/// A picture of a coin that is drawn of its code alone: the same for everybody, and nothing of anybody
/// else's.
///
/// Its colour and its shade follow the code's hash; one or two letters stand on it. What is drawn of a code
/// is letters and digits, so that no code can bring markup in.
struct CoinIcon: Hashable, Sendable {
    /// The longest code that has a picture, in bytes.
    static let longest = 64

    /// Colours on which white letters have a contrast of 4.5 or more.
    static let grounds = [
        "d23f3f", "bc572c", "9b6b24", "80761e", "697c1d", "50821f", "33841f", "1f862a", "1f8649", "1f8466",
        "1e8080", "267ca1", "3573d0", "5e6ad9", "7860da", "9554d7", "b43dd1", "c82fb9", "cf3390", "d13b68",
    ]

    /// What stands on it.
    let letters: String
    /// Six hexadecimal digits.
    let ground: String
    /// By how many degrees the darker half is turned.
    let turn: Int

    /// Draws a code; XBT is drawn as BTC, for it is the same coin.
    ///
    /// - Returns: `nil` for a code without a letter or digit, and for one that is too long.
    init?(_ code: String) {
        guard code.utf8.count <= Self.longest else { return nil }
        let common = MarketCatalogue.common(Asset(rawValue: code.uppercased())).rawValue
        guard let letters = Self.letters(of: common) else { return nil }
        self.letters = letters
        let hash = StableHash.of(common)
        ground = Self.grounds[Int(hash % UInt64(Self.grounds.count))]
        turn = Int((hash >> 32) % 8) * 45
    }

    /// The first two letters of a code, or digits where it has no letter; of a script that is written in
    /// greater signs the first alone.
    private static func letters(of code: String) -> String? {
        let signs = Array(code.unicodeScalars).filter { $0.properties.isAlphabetic || isDigit($0) }
        let words = signs.drop(while: isDigit)
        let shown = words.isEmpty ? signs[...] : words
        guard let first = shown.first else { return nil }
        let count = first.isASCII ? shown.prefix(2).prefix(while: \.isASCII).count : 1
        return String(String.UnicodeScalarView(shown.prefix(count)))
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// 40 by 40.
    var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40">\
        <circle cx="20" cy="20" r="20" fill="#\(ground)"/>\
        <path d="M40 20a20 20 0 0 1-40 0z" fill="#000" fill-opacity=".16" transform="rotate(\(turn) 20 20)"/>\
        <text x="20" y="20" dy=".36em" fill="#fff" font-family="system-ui,sans-serif" font-size="17" \
        font-weight="600" text-anchor="middle">\(letters)</text></svg>

        """
    }

    /// Where the picture of an asset is.
    static func path(of asset: Asset) -> String { "/v1/icons/\(PercentText.encoded(asset.rawValue))" }
}
