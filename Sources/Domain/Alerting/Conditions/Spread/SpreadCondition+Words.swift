extension SpreadCondition {
    static let words: ConditionWords = [
        "spread": [
            "en": FormWords(
                "Spread is wide",
                "Buying and selling at once becomes costly.",
                says: [
                    "": "the best ask of {name} is {above} or more above the best bid"
                ]),
            "de": FormWords(
                "Spanne ist weit",
                "Kaufen und gleich verkaufen wird teuer.",
                says: [
                    "": "der beste Brief von {name} um {above} oder mehr über dem besten Geld liegt"
                ]),
            "es": FormWords(
                "Diferencial amplio",
                "Comprar y vender a la vez sale caro.",
                says: [
                    "": "la mejor venta de {name} supere en {above} o más a la mejor compra"
                ]),
            "ja": FormWords(
                "スプレッドが広い",
                "売買の価格差が広がったとき。",
                says: [
                    "": "{name}の最良売り気配と最良買い気配の差が{above}以上になった"
                ]),
        ]
    ]
}
