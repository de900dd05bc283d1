package import Instruments

/// Which passwords are accepted.
///
/// Long enough, not too long, not one of the commonest, not made of the account's own words; no rules about
/// kinds of characters and no expiry.
///
/// Source: NIST SP 800-63B-4 (2025), 3.1.1.2; OWASP ASVS 5.0, 6.2.
package struct PasswordPolicy: Hashable, Sendable {
    /// Unicode scalars that a password may have at most.
    package static let longest = 256

    /// Unicode scalars that a password needs, 8...64.
    ///
    /// 15 where it is all that is asked for, as NIST wants.
    package let shortest: Int

    /// Describes a policy.
    ///
    /// - Precondition: `shortest` is 8...64.
    package init(shortest: Int = 15) {
        precondition((8...64).contains(shortest), "a password needs 8...64 characters")
        self.shortest = shortest
    }

    /// What is thought of a password.
    package struct Assessment: Hashable, Sendable {
        /// 0 (guessed at once) to 4 (very hard).
        package var score: Int
        /// Why it is not accepted; `nil` for one that is.
        package var refusal: FieldFault?
    }

    /// Looks at a password.
    ///
    /// - Parameters:
    ///   - password: As it was typed.
    ///   - email: Of the account, if it is known.
    ///   - field: What a refusal calls the password.
    /// - Returns: Its strength, and why it is refused if it is.
    package func opinion(
        of password: String, email: EmailAddress? = nil, field: String = "password"
    ) -> Assessment {
        let count = password.unicodeScalars.count
        let accepted = "\(shortest)...\(Self.longest) characters"
        if count > Self.longest {
            return Assessment(
                score: 0, refusal: FieldFault(field, "\(count) characters long", accepted: accepted))
        }
        let strength = PasswordStrength(of: password, context: Self.context(email))
        if count < shortest {
            let fault = FieldFault(field, "\(count) characters long", accepted: accepted)
            return Assessment(score: min(strength.score, 1), refusal: fault)
        }
        if password.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            let fault = FieldFault(field, "with control characters", accepted: "characters that can be typed")
            return Assessment(score: 0, refusal: fault)
        }
        // What the meter calls guessable is made of one or two of the commonest pieces and nothing else.
        guard strength.score >= 2 else {
            let fault = FieldFault(
                field, "one that is guessed early",
                accepted: "one that is not a common password, a row, a repetition or the account's own name")
            return Assessment(score: strength.score, refusal: fault)
        }
        return Assessment(score: strength.score, refusal: nil)
    }

    /// Accepts a password or says why not.
    ///
    /// - Throws: ``FieldFault``, which does not repeat it.
    package func check(
        _ password: String, email: EmailAddress? = nil, field: String = "password"
    ) throws(FieldFault) {
        if let fault = opinion(of: password, email: email, field: field).refusal { throw fault }
    }

    private static func context(_ email: EmailAddress?) -> Set<String> {
        var words: Set<String> = ["bitpal"]
        if let email {
            let parts = email.name.split { !$0.isLetter && !$0.isNumber }
            words.formUnion((parts + [email.name] + email.hostNames).map(String.init))
            words.insert(email.folded)
        }
        return words.filter { $0.count >= 3 }
    }
}
