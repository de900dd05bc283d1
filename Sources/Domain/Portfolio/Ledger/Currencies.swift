package import Instruments

extension Asset {
    /// Whether the code is a currency's: money, which has no lots and may go below zero.
    ///
    /// Source: ISO 4217, list one, active codes of 2024; funds codes, metals and test codes left out.
    package var isCurrency: Bool { Asset.currencies.contains(rawValue) }

    /// Digits behind the point that its money is written with: those of its smallest coin; 2 of what is no
    /// currency.
    ///
    /// Source: ISO 4217, list one, minor units of 2024.
    package var moneyPlaces: Int {
        Asset.withoutCents.contains(rawValue) ? 0 : Asset.withThousandths.contains(rawValue) ? 3 : 2
    }

    private static let withoutCents: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF",
        "XOF", "XPF",
    ]
    private static let withThousandths: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

    private static let currencies: Set<String> = Set(
        """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD
        CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD
        GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT
        LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR
        NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP
        STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF
        XPF YER ZAR ZMW ZWL
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
