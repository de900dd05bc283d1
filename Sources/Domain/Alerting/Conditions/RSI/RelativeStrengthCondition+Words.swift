extension RelativeStrengthCondition {
    static let words: ConditionWords = [
        "rsi": [
            "en": FormWords(
                "RSI reaches a level",
                "Relative strength from 0 to 100: above 70 is called overbought, below 30 oversold.",
                says: [
                    "above": "the RSI of {period} candles of {interval} of {name} rises above {level}",
                    "below": "the RSI of {period} candles of {interval} of {name} falls below {level}",
                    "either": """
                    the RSI of {period} candles of {interval} of {name} passes {level}, rising or \
                    falling
                    """,
                ], help: ["level": "From 0 to 100."]),
            "de": FormWords(
                "RSI erreicht eine Marke",
                "Relative Stärke von 0 bis 100: über 70 heißt überkauft, unter 30 überverkauft.",
                says: [
                    "above": "der RSI aus {period} Kerzen zu {interval} von {name} über {level} steigt",
                    "below": "der RSI aus {period} Kerzen zu {interval} von {name} unter {level} fällt",
                    "either": """
                    der RSI aus {period} Kerzen zu {interval} von {name} {level} kreuzt, steigend \
                    oder fallend
                    """,
                ], help: ["level": "Von 0 bis 100."]),
            "es": FormWords(
                "El RSI llega a un nivel",
                "Fuerza relativa de 0 a 100: sobre 70 se llama sobrecompra, bajo 30 sobreventa.",
                says: [
                    "above": "el RSI de {period} velas de {interval} de {name} suba por encima de {level}",
                    "below": "el RSI de {period} velas de {interval} de {name} baje por debajo de {level}",
                    "either": """
                    el RSI de {period} velas de {interval} de {name} cruce {level}, al subir o al \
                    bajar
                    """,
                ], help: ["level": "De 0 a 100."]),
            "ja": FormWords(
                "RSI が水準に到達",
                "0〜100の相対力指数。70超は買われすぎ、30未満は売られすぎとされます。",
                says: [
                    "above": "{name}の{interval}足RSI({period}本)が{level}を上回った",
                    "below": "{name}の{interval}足RSI({period}本)が{level}を下回った",
                    "either": "{name}の{interval}足RSI({period}本)が上下いずれかに{level}を超えた",
                ], help: ["level": "0から100。"]),
        ]
    ]
}
