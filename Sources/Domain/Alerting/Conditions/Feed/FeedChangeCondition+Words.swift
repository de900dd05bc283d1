extension FeedChangeCondition {
    static let words: ConditionWords = [
        "feed": [
            "en": FormWords(
                "Feed stops or comes back",
                "Prices of this instrument stop, or come again.",
                says: [
                    "resynced": "the data of {name} can be trusted again",
                    "stale": "the data of {name} stop or can no longer be trusted",
                ]),
            "de": FormWords(
                "Datenquelle stockt oder kehrt zurück",
                "Preise dieses Instruments bleiben aus oder kommen wieder.",
                says: [
                    "resynced": "die Daten von {name} wieder verlässlich sind",
                    "stale": "die Daten von {name} ausbleiben oder nicht mehr verlässlich sind",
                ]),
            "es": FormWords(
                "La fuente se para o vuelve",
                "Los precios de este instrumento se detienen o vuelven.",
                says: [
                    "resynced": "los datos de {name} vuelvan a ser fiables",
                    "stale": "los datos de {name} se detengan o dejen de ser fiables",
                ]),
            "ja": FormWords(
                "配信が停止・再開",
                "この銘柄の価格が途切れた、または戻ったとき。",
                says: [
                    "resynced": "{name}のデータが再び信頼できるようになった",
                    "stale": "{name}のデータが止まるか信頼できなくなった",
                ]),
        ]
    ]
}
