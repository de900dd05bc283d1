extension ConvergenceCondition {
    static let words: ConditionWords = [
        "macd": [
            "en": FormWords(
                "MACD crosses its signal",
                "The distance of two averages turns: a sign of a change of trend.",
                says: [
                    "above": """
                    the MACD ({fast}, {slow}, {signal}; candles of {interval}) of {name} rises above\
                     its signal line
                    """,
                    "below": """
                    the MACD ({fast}, {slow}, {signal}; candles of {interval}) of {name} falls below\
                     its signal line
                    """,
                    "either": """
                    the MACD ({fast}, {slow}, {signal}; candles of {interval}) of {name} crosses its\
                     signal line
                    """,
                ]),
            "de": FormWords(
                "MACD kreuzt sein Signal",
                "Der Abstand zweier Durchschnitte dreht: ein Zeichen für eine Trendwende.",
                says: [
                    "above": """
                    der MACD ({fast}, {slow}, {signal}; Kerzen zu {interval}) von {name} über seine \
                    Signallinie steigt
                    """,
                    "below": """
                    der MACD ({fast}, {slow}, {signal}; Kerzen zu {interval}) von {name} unter seine\
                     Signallinie fällt
                    """,
                    "either": """
                    der MACD ({fast}, {slow}, {signal}; Kerzen zu {interval}) von {name} seine \
                    Signallinie kreuzt
                    """,
                ]),
            "es": FormWords(
                "El MACD cruza su señal",
                "La distancia de dos medias gira: señal de cambio de tendencia.",
                says: [
                    "above": """
                    el MACD ({fast}, {slow}, {signal}; velas de {interval}) de {name} suba por \
                    encima de su señal
                    """,
                    "below": """
                    el MACD ({fast}, {slow}, {signal}; velas de {interval}) de {name} baje por \
                    debajo de su señal
                    """,
                    "either": """
                    el MACD ({fast}, {slow}, {signal}; velas de {interval}) de {name} cruce su señal
                    """,
                ]),
            "ja": FormWords(
                "MACD がシグナルと交差",
                "2つの平均の差が転じたとき。トレンド転換の目安です。",
                says: [
                    "above": "{name}の{interval}足MACD({fast}, {slow}, {signal})がシグナルを上回った",
                    "below": "{name}の{interval}足MACD({fast}, {slow}, {signal})がシグナルを下回った",
                    "either": "{name}の{interval}足MACD({fast}, {slow}, {signal})がシグナルと交差した",
                ]),
        ]
    ]
}
