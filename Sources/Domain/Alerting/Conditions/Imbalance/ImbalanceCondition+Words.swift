extension ImbalanceCondition {
    static let words: ConditionWords = [
        "imbalance": [
            "en": FormWords(
                "Book is one-sided",
                "Far more is bid than offered, or the reverse.",
                says: [
                    "above": "the imbalance of the best {levels} levels of {name} rises above {level}",
                    "below": "the imbalance of the best {levels} levels of {name} falls below {level}",
                    "either": """
                    the imbalance of the best {levels} levels of {name} passes {level}, rising or \
                    falling
                    """,
                ], help: ["level": "From −1 (only asks) to 1 (only bids)."]),
            "de": FormWords(
                "Orderbuch ist einseitig",
                "Weit mehr Geld als Brief, oder umgekehrt.",
                says: [
                    "above": """
                    das Ungleichgewicht der besten {levels} Stufen von {name} über {level} steigt
                    """,
                    "below": """
                    das Ungleichgewicht der besten {levels} Stufen von {name} unter {level} fällt
                    """,
                    "either": """
                    das Ungleichgewicht der besten {levels} Stufen von {name} {level} kreuzt, \
                    steigend oder fallend
                    """,
                ], help: ["level": "Von −1 (nur Brief) bis 1 (nur Geld)."]),
            "es": FormWords(
                "Libro desequilibrado",
                "Hay mucha más compra que venta, o al revés.",
                says: [
                    "above": """
                    el desequilibrio de los {levels} mejores niveles de {name} suba por encima de \
                    {level}
                    """,
                    "below": """
                    el desequilibrio de los {levels} mejores niveles de {name} baje por debajo de \
                    {level}
                    """,
                    "either": """
                    el desequilibrio de los {levels} mejores niveles de {name} cruce {level}, al \
                    subir o al bajar
                    """,
                ], help: ["level": "De −1 (solo ventas) a 1 (solo compras)."]),
            "ja": FormWords(
                "板が偏る",
                "買いと売りの注文量が大きく偏ったとき。",
                says: [
                    "above": "{name}の板の上位{levels}段の偏りが{level}を上回った",
                    "below": "{name}の板の上位{levels}段の偏りが{level}を下回った",
                    "either": "{name}の板の上位{levels}段の偏りが上下いずれかに{level}を超えた",
                ], help: ["level": "−1(売りのみ)から1(買いのみ)。"]),
        ]
    ]
}
