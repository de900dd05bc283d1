extension TradeCondition {
    static let words: ConditionWords = [
        "trade": [
            "en": FormWords(
                "Large trade",
                "One single large trade.",
                says: [
                    "any": "somebody trades more than {larger_than} of {name} at once",
                    "buy": "somebody buys more than {larger_than} of {name} at once",
                    "sell": "somebody sells more than {larger_than} of {name} at once",
                ]),
            "de": FormWords(
                "Großer Abschluss",
                "Ein einzelner großer Abschluss.",
                says: [
                    "any": "jemand mehr als {larger_than} von {name} auf einmal handelt",
                    "buy": "jemand mehr als {larger_than} von {name} auf einmal kauft",
                    "sell": "jemand mehr als {larger_than} von {name} auf einmal verkauft",
                ]),
            "es": FormWords(
                "Operación grande",
                "Una sola operación grande.",
                says: [
                    "any": "alguien negocie más de {larger_than} de {name} de una vez",
                    "buy": "alguien compre más de {larger_than} de {name} de una vez",
                    "sell": "alguien venda más de {larger_than} de {name} de una vez",
                ]),
            "ja": FormWords(
                "大口の約定",
                "1件の大口約定。",
                says: [
                    "any": "{name}で一度に{larger_than}を超える約定があった",
                    "buy": "{name}で一度に{larger_than}を超える買いの約定があった",
                    "sell": "{name}で一度に{larger_than}を超える売りの約定があった",
                ]),
        ]
    ]
}
