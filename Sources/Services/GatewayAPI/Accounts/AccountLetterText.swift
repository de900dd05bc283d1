import AccountStore
import Channels

/// What letters about an account say, in the languages that there are.
enum AccountLetterText {
    /// The words of a letter; English for a language that has none.
    static func text(_ kind: AccountLetter.Kind, in locale: String) -> NoticeText {
        let words = all[locale] ?? english
        let (title, lines, view) = kind == .reset ? words.reset : words.verification
        return NoticeText(
            title: title, lines: lines, language: all[locale] == nil ? "en" : locale, isRightToLeft: false,
            view: view, unsubscribe: "")
    }

    private typealias Letter = (title: String, lines: [String], view: String)

    private struct Words {
        var verification: Letter
        var reset: Letter
    }

    private static let all = ["en": english, "es": spanish, "de": german, "ja": japanese]

    private static let english = Words(
        verification: (
            "Is this your address?",
            ["Somebody made an account at Bitpal with it. If that was you, follow the link within a day."],
            "Confirm the address"
        ),
        reset: (
            "A new password for Bitpal",
            ["The link sets one, once, within an hour. If you did not ask for it, nothing has changed."],
            "Set a new password"
        ))

    private static let spanish = Words(
        verification: (
            "¿Es esta tu dirección?",
            ["Alguien creó con ella una cuenta en Bitpal. Si fuiste tú, sigue el enlace antes de un día."],
            "Confirmar la dirección"
        ),
        reset: (
            "Una contraseña nueva para Bitpal",
            ["El enlace la cambia una vez, durante una hora. Si no la pediste, no ha cambiado nada."],
            "Poner una contraseña nueva"
        ))

    private static let german = Words(
        verification: (
            "Ist das Ihre Adresse?",
            [
                "Damit wurde ein Konto bei Bitpal angelegt. Waren Sie es, folgen Sie dem Link binnen eines Tages."
            ],
            "Adresse bestätigen"
        ),
        reset: (
            "Ein neues Passwort für Bitpal",
            [
                "Der Link setzt es einmal, binnen einer Stunde. Haben Sie nicht darum gebeten, blieb alles gleich."
            ],
            "Neues Passwort setzen"
        ))

    private static let japanese = Words(
        verification: (
            "このメールアドレスの確認",
            ["このアドレスでBitpalのアカウントが作成されました。ご本人の場合は、一日以内にリンクを開いてください。"], "アドレスを確認する"
        ),
        reset: (
            "Bitpalの新しいパスワード",
            ["リンクは一時間以内に一度だけ使えます。お心当たりがなければ、何も変わっていません。"], "新しいパスワードを設定する"
        ))
}
