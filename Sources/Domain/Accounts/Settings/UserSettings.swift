package import Instruments

/// How a user wants to see things, and when to be left alone.
package struct UserSettings: Hashable, Sendable {
    /// How pages are coloured.
    package enum Theme: String, CaseIterable, Hashable, Sendable {
        /// As the device is set.
        case system
        /// Dark on light.
        case light
        /// Light on dark.
        case dark
    }

    /// What an app does when an alert fires.
    package struct Notifications: Hashable, Sendable {
        /// Shows it.
        package var alerts = true
        /// With a sound.
        package var sounds = true
        /// And counts it on its icon.
        package var badges = true

        /// All of it.
        package init() {}
    }

    /// A stretch of the day without notifications, in the user's zone.
    package struct QuietHours: Hashable, Sendable {
        /// The first quiet minute after midnight, 0..<1440.
        package var from: Int
        /// The first that is no longer quiet; before `from` it is one of the next day.
        package var to: Int

        package init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }

        /// Reads two different times such as `22:00`.
        ///
        /// - Throws: ``FieldFault``.
        package init(from: String, to: String) throws(FieldFault) {
            self.from = try Self.minutes(from, "quiet_hours.from")
            self.to = try Self.minutes(to, "quiet_hours.to")
            guard self.from != self.to else {
                throw FieldFault("quiet_hours.to", to.quoted, accepted: "another time than quiet_hours.from")
            }
        }

        /// As it is read.
        package var texts: (from: String, to: String) { (Self.text(from), Self.text(to)) }

        private static func text(_ minutes: Int) -> String {
            String(minutes / 600) + String(minutes / 60 % 10) + ":" + String(minutes % 60 / 10)
                + String(minutes % 10)
        }

        private static func minutes(_ text: String, _ field: String) throws(FieldFault) -> Int {
            let bytes = Array(text.utf8)
            let digits = [0, 1, 3, 4].compactMap { place -> Int? in
                guard bytes.count == 5, (0x30...0x39).contains(bytes[place]) else { return nil }
                return Int(bytes[place]) - 0x30
            }
            guard digits.count == 4, bytes[2] == 0x3A, digits[0] * 10 + digits[1] < 24, digits[2] < 6 else {
                throw FieldFault(field, text.quoted, accepted: "a time of day such as 22:00")
            }
            return (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]
        }
    }

    /// Languages that texts exist in.
    package static let locales = ["en", "es", "de", "ja"]

    /// The language of texts and numbers, one of ``locales``.
    package private(set) var locale = "en"
    /// The name of a zone of the IANA database; whether it exists is for who has the database.
    package private(set) var timeZone = "UTC"
    /// What values are shown in: a code of ISO 4217, three capitals.
    package private(set) var baseCurrency = "USD"
    /// How pages are coloured.
    package var theme = Theme.system
    /// What an app does when an alert fires.
    package var notifications = Notifications()
    /// When it does not.
    package var quietHours: QuietHours?
    /// Steps of the introduction that are done, each once; at most 32 names of 1...40 letters, digits,
    /// `_`, `-`.
    package private(set) var onboarding: [String] = []

    package init() {}

    /// Chooses a language.
    ///
    /// - Throws: ``FieldFault`` for one without texts.
    package mutating func set(locale: String) throws(FieldFault) {
        guard Self.locales.contains(locale) else {
            throw FieldFault("locale", locale.quoted, accepted: Self.locales.joined(separator: ", "))
        }
        self.locale = locale
    }

    /// Chooses a zone.
    ///
    /// - Throws: ``FieldFault`` for what is no name of one.
    package mutating func set(timeZone: String) throws(FieldFault) {
        let parts = timeZone.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { Self.isWordByte($0) || $0 == 0x2B }
        }
        guard (1...64).contains(timeZone.utf8.count), isName else {
            throw FieldFault("time_zone", timeZone.quoted, accepted: "a zone's name such as Europe/Berlin")
        }
        self.timeZone = timeZone
    }

    /// Chooses a currency.
    ///
    /// - Throws: ``FieldFault`` for what is no code.
    package mutating func set(baseCurrency: String) throws(FieldFault) {
        guard baseCurrency.utf8.count == 3, baseCurrency.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
        else {
            throw FieldFault("base_currency", baseCurrency.quoted, accepted: "a code such as USD or EUR")
        }
        self.baseCurrency = baseCurrency
    }

    /// Says which steps of the introduction are done.
    ///
    /// - Throws: ``FieldFault`` for too many, a name twice and what is no name.
    package mutating func set(onboarding: [String]) throws(FieldFault) {
        let accepted = "at most 32 names, each once, of 1...40 letters, digits, _ and -"
        guard onboarding.count <= 32, Set(onboarding).count == onboarding.count else {
            throw FieldFault("onboarding", "\(onboarding.count) names", accepted: accepted)
        }
        for name in onboarding
        where !(1...40).contains(name.utf8.count) || !name.utf8.allSatisfy(Self.isWordByte) {
            throw FieldFault("onboarding", name.quoted, accepted: accepted)
        }
        self.onboarding = onboarding
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
        default: false
        }
    }
}
