extension ListingCondition {
    static let words: ConditionWords = [
        "listing": [
            "en": FormWords(
                "Something new is listed",
                "A venue begins to trade something.",
                says: [
                    "any.any": "{venue} begins to trade something new",
                    "given.any": "{venue} begins to trade {base} against anything",
                    "given.given": "{venue} begins to trade {base} against {quote}",
                    "any.given": "{venue} begins to trade anything against {quote}",
                ]),
            "de": FormWords(
                "Etwas wird neu gelistet",
                "Ein Handelsplatz nimmt etwas in den Handel.",
                says: [
                    "any.any": "{venue} etwas Neues in den Handel nimmt",
                    "given.any": "{venue} {base} gegen irgendetwas in den Handel nimmt",
                    "given.given": "{venue} {base} gegen {quote} in den Handel nimmt",
                    "any.given": "{venue} irgendetwas gegen {quote} in den Handel nimmt",
                ]),
            "es": FormWords(
                "Se lista algo nuevo",
                "Una plaza empieza a negociar algo.",
                says: [
                    "any.any": "{venue} empiece a negociar algo nuevo",
                    "given.any": "{venue} empiece a negociar {base} contra cualquier activo",
                    "given.given": "{venue} empiece a negociar {base} contra {quote}",
                    "any.given": "{venue} empiece a negociar cualquier activo contra {quote}",
                ]),
            "ja": FormWords(
                "新規上場",
                "取引所で新しい取引が始まったとき。",
                says: [
                    "any.any": "{venue}で新しい銘柄の取引が始まった",
                    "given.any": "{venue}で{base}の取引が始まった",
                    "given.given": "{venue}で{base}/{quote}の取引が始まった",
                    "any.given": "{venue}で{quote}建ての取引が始まった",
                ]),
        ]
    ]
}
