extension BandsCondition {
    static let words: ConditionWords = [
        "bollinger": [
            "en": FormWords(
                "Price leaves the Bollinger band",
                "A close far from its average, for how much it moves usually.",
                says: [
                    "either": """
                    a candle of {interval} of {name} closes outside the Bollinger band ({period} \
                    candles, {deviations} deviations)
                    """,
                    "lower": """
                    a candle of {interval} of {name} closes below the Bollinger band ({period} \
                    candles, {deviations} deviations)
                    """,
                    "upper": """
                    a candle of {interval} of {name} closes above the Bollinger band ({period} \
                    candles, {deviations} deviations)
                    """,
                ]),
            "de": FormWords(
                "Preis verlässt das Bollinger-Band",
                "Ein Schluss weit weg vom Durchschnitt, gemessen an der üblichen Bewegung.",
                says: [
                    "either": """
                    eine Kerze von {name} zu {interval} außerhalb des Bollinger-Bands schließt \
                    ({period} Kerzen, {deviations} Abweichungen)
                    """,
                    "lower": """
                    eine Kerze von {name} zu {interval} unterhalb des Bollinger-Bands schließt \
                    ({period} Kerzen, {deviations} Abweichungen)
                    """,
                    "upper": """
                    eine Kerze von {name} zu {interval} oberhalb des Bollinger-Bands schließt \
                    ({period} Kerzen, {deviations} Abweichungen)
                    """,
                ]),
            "es": FormWords(
                "El precio sale de la banda de Bollinger",
                "Un cierre lejos de su media para lo que suele moverse.",
                says: [
                    "either": """
                    una vela de {interval} de {name} cierre fuera de la banda de Bollinger ({period}\
                     velas, {deviations} desviaciones)
                    """,
                    "lower": """
                    una vela de {interval} de {name} cierre por debajo de la banda de Bollinger \
                    ({period} velas, {deviations} desviaciones)
                    """,
                    "upper": """
                    una vela de {interval} de {name} cierre por encima de la banda de Bollinger \
                    ({period} velas, {deviations} desviaciones)
                    """,
                ]),
            "ja": FormWords(
                "ボリンジャーバンドを外れる",
                "普段の値動きに比べて平均から大きく離れた終値。",
                says: [
                    "either": "{name}の{interval}足の終値がボリンジャーバンド({period}本、{deviations}σ)の外に出た",
                    "lower": "{name}の{interval}足の終値がボリンジャーバンド({period}本、{deviations}σ)の下に出た",
                    "upper": "{name}の{interval}足の終値がボリンジャーバンド({period}本、{deviations}σ)の上に出た",
                ]),
        ]
    ]
}
