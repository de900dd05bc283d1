extension CandleCondition {
    static let words: ConditionWords = [
        "candle": [
            "en": FormWords(
                "Candle closes across a level",
                "Only closing prices count: short spikes do not.",
                says: [
                    "above": "a candle of {interval} of {name} closes above {level}",
                    "below": "a candle of {interval} of {name} closes below {level}",
                    "either": "a candle of {interval} of {name} closes on the other side of {level}",
                ]),
            "de": FormWords(
                "Kerze schließt über eine Marke hinweg",
                "Nur Schlusspreise zählen, keine kurzen Ausschläge.",
                says: [
                    "above": "eine Kerze von {name} zu {interval} über {level} schließt",
                    "below": "eine Kerze von {name} zu {interval} unter {level} schließt",
                    "either": """
                    eine Kerze von {name} zu {interval} auf der anderen Seite von {level} schließt
                    """,
                ]),
            "es": FormWords(
                "Una vela cierra cruzando un nivel",
                "Solo cuentan los cierres, no los picos breves.",
                says: [
                    "above": "una vela de {interval} de {name} cierre por encima de {level}",
                    "below": "una vela de {interval} de {name} cierre por debajo de {level}",
                    "either": "una vela de {interval} de {name} cierre al otro lado de {level}",
                ]),
            "ja": FormWords(
                "足が水準をまたいで確定",
                "終値だけを見ます。一瞬の急変は数えません。",
                says: [
                    "above": "{name}の{interval}足の終値が{level}を上回った",
                    "below": "{name}の{interval}足の終値が{level}を下回った",
                    "either": "{name}の{interval}足の終値が上下いずれかに{level}を超えた",
                ]),
        ]
    ]
}
