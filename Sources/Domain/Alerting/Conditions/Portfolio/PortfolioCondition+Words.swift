extension PortfolioCondition {
    static let words: ConditionWords = [
        "portfolio": [
            "en": FormWords(
                "Portfolio reaches a value",
                "What you own reaches a value.",
                says: [
                    "above": "{metric} of {id} rises above {level}",
                    "below": "{metric} of {id} falls below {level}",
                    "either": "{metric} of {id} passes {level}, rising or falling",
                ]),
            "de": FormWords(
                "Portfolio erreicht einen Wert",
                "Was du besitzt, erreicht einen Wert.",
                says: [
                    "above": "{metric} von {id} über {level} steigt",
                    "below": "{metric} von {id} unter {level} fällt",
                    "either": "{metric} von {id} {level} kreuzt, steigend oder fallend",
                ]),
            "es": FormWords(
                "La cartera llega a un valor",
                "Lo que tienes alcanza un valor.",
                says: [
                    "above": "{metric} de {id} suba por encima de {level}",
                    "below": "{metric} de {id} baje por debajo de {level}",
                    "either": "{metric} de {id} cruce {level}, al subir o al bajar",
                ]),
            "ja": FormWords(
                "ポートフォリオが水準に到達",
                "保有資産が一定の額に達したとき。",
                says: [
                    "above": "{id}の{metric}が{level}を上回った",
                    "below": "{id}の{metric}が{level}を下回った",
                    "either": "{id}の{metric}が上下いずれかに{level}を超えた",
                ]),
        ]
    ]
}
