extension FundingCondition {
    static let words: ConditionWords = [
        "funding": [
            "en": FormWords(
                "Funding rate reaches a level",
                "Holding a perpetual becomes costly, or pays.",
                says: [
                    "above": "the funding rate of {name} rises above {level} %",
                    "below": "the funding rate of {name} falls below {level} %",
                    "either": "the funding rate of {name} passes {level} %, rising or falling",
                ]),
            "de": FormWords(
                "Finanzierungssatz erreicht eine Marke",
                "Einen ewigen Kontrakt zu halten wird teuer oder bringt etwas ein.",
                says: [
                    "above": "der Finanzierungssatz von {name} über {level} % steigt",
                    "below": "der Finanzierungssatz von {name} unter {level} % fällt",
                    "either": "der Finanzierungssatz von {name} {level} % kreuzt, steigend oder fallend",
                ]),
            "es": FormWords(
                "La tasa de financiación llega a un nivel",
                "Mantener un perpetuo sale caro, o paga.",
                says: [
                    "above": "la tasa de financiación de {name} suba por encima del {level} %",
                    "below": "la tasa de financiación de {name} baje por debajo del {level} %",
                    "either": "la tasa de financiación de {name} cruce el {level} %, al subir o al bajar",
                ]),
            "ja": FormWords(
                "資金調達率が水準に到達",
                "無期限契約の保有コストが高くなった、または受け取りになったとき。",
                says: [
                    "above": "{name}の資金調達率が{level}%を上回った",
                    "below": "{name}の資金調達率が{level}%を下回った",
                    "either": "{name}の資金調達率が上下いずれかに{level}%を超えた",
                ]),
        ]
    ]
}
