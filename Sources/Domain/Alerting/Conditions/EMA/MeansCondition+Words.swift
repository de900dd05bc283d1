extension MeansCondition {
    static let words: ConditionWords = [
        "ema": [
            "en": FormWords(
                "Two averages cross",
                "A fast average passes a slow one.",
                says: [
                    "above": """
                    the average (EMA) of {fast} candles of {interval} of {name} rises above that of \
                    {slow}
                    """,
                    "below": """
                    the average (EMA) of {fast} candles of {interval} of {name} falls below that of \
                    {slow}
                    """,
                    "either": """
                    the average (EMA) of {fast} candles of {interval} of {name} crosses that of \
                    {slow}
                    """,
                ]),
            "de": FormWords(
                "Zwei Mittel kreuzen sich",
                "Ein schneller Durchschnitt kreuzt einen langsamen.",
                says: [
                    "above": """
                    der Schnitt (EMA) aus {fast} Kerzen zu {interval} von {name} über den aus {slow}\
                     steigt
                    """,
                    "below": """
                    der Schnitt (EMA) aus {fast} Kerzen zu {interval} von {name} unter den aus \
                    {slow} fällt
                    """,
                    "either": """
                    der Schnitt (EMA) aus {fast} Kerzen zu {interval} von {name} den aus {slow} \
                    kreuzt
                    """,
                ]),
            "es": FormWords(
                "Dos medias se cruzan",
                "Una media rápida cruza una lenta.",
                says: [
                    "above": """
                    la media (EMA) de {fast} velas de {interval} de {name} suba por encima de la de \
                    {slow}
                    """,
                    "below": """
                    la media (EMA) de {fast} velas de {interval} de {name} baje por debajo de la de \
                    {slow}
                    """,
                    "either": "la media (EMA) de {fast} velas de {interval} de {name} cruce la de {slow}",
                ]),
            "ja": FormWords(
                "移動平均が交差",
                "短期平均が長期平均と交差したとき。",
                says: [
                    "above": "{name}の{interval}足{fast}本EMAが{slow}本EMAを上回った",
                    "below": "{name}の{interval}足{fast}本EMAが{slow}本EMAを下回った",
                    "either": "{name}の{interval}足{fast}本EMAが{slow}本EMAと交差した",
                ]),
        ]
    ]
}
