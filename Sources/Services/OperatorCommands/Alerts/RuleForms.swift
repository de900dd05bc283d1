/// What a rule may say, as help shows it: each line is read by the one reader of rules.
enum RuleForms {
    /// A condition a line.
    static let conditions = """
        {"price":"last","crosses":"above","level":"61000.5"}
        {"price":"mid","leaves":{"low":"60000","high":"62000"}}
        {"change":{"price":"last","percent":"5","within":"1h",
        "direction":"either","against":"start"}}
        {"change":{"price":"last","amount":"100","within":"15m",
        "direction":"up","against":"extreme"}}
        {"volume":{"above":"12.5","within":"5m"}}
        {"volume":{"times":"3","within":"1m","average_of":20}}
        {"spread":{"above":"5"}}
        {"imbalance":{"levels":5,"crosses":"below","level":"-0.6"}}
        {"trade":{"larger_than":"10","side":"sell"}}
        {"candle":{"interval":"5m","close":"below","level":"60000"}}
        {"rsi":{"interval":"1h","period":14,"crosses":"above","level":"70"}}
        {"macd":{"interval":"1h","fast":12,"slow":26,"signal":9,"crosses":"above"}}
        {"ema":{"interval":"1h","fast":9,"slow":21,"crosses":"above"}}
        {"bollinger":{"interval":"1h","period":20,"deviations":"2","leaves":"upper"}}
        {"feed":"stale"}
        {"portfolio":{"id":"ID","metric":"value","crosses":"below","level":"5000"}}
        {"listing":{"venue":"kraken","quote":"USD"}}
        """

    /// A field a line.
    static let options = """
        "repeat":{"cooldown":"1h","hysteresis":"10"}
        "when_already":true
        "for":"5m"
        "expires":"2030-12-31T00:00:00Z"
        "active":{"hours":"08:00-22:00","days":["mon"],"time_zone":"Europe/Berlin"}
        "note":"sell half"
        "tags":["btc"]
        "channels":["phone"]
        "priority":"high"
        """
}
