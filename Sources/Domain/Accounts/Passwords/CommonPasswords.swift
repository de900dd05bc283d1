/// What people choose first: words, names, walks over the keyboard and rows of digits.
///
/// Compiled for this project from what everybody knows that people choose, and widened by rules: each word
/// also with the endings that are put behind it, each year, each row of the same or following digits.
enum CommonPasswords {
    /// All of them, in lower case; some ten thousand.
    static let all: Set<String> = {
        var all = Set(words)
        for word in words { for ending in endings { all.insert(word + ending) } }
        for length in 3...16 {
            for digit in 0...9 {
                all.insert(String(repeating: String(digit), count: length))
                all.insert((0..<length).map { String((digit + $0) % 10) }.joined())
                all.insert((0..<length).map { String((digit + 160 - $0) % 10) }.joined())
            }
        }
        for year in years { all.insert(String(year)) }
        return all
    }()

    /// Years that people were born in or live in.
    static let years = 1_930...2_035

    private static let endings = [
        "1", "2", "12", "123", "1234", "12345", "!", "1!", "01", "007", "11", "69", "99", "2024", "2025",
        "2026",
    ]

    private static let words = text.split { $0 == " " || $0 == "\n" }.map(String.init)

    private static let text = """
        password passw0rd pass passwd passphrase passcode letmein letmeinnow welcome welcomeback login logon
        signin admin administrator root user guest test testing tester demo sample example default changeme
        changeit change secret private access open opensesame sesame enter entry key master super superuser
        supervisor manager boss qwerty qwertz azerty qwertyuiop qwertzuiop asdf asdfgh asdfghjkl zxcv zxcvbn
        zxcvbnm yxcvbnm qazwsx qazwsxedc wsxedc edcrfv rfvtgb 1qaz 2wsx 1qaz2wsx 3edc qweasd qweasdzxc
        asdzxc qwer qwe asd zxc poiuytrewq lkjhgfdsa mnbvcxz ytrewq trewq 1q2w3e 1q2w3e4r 1q2w3e4r5t q1w2e3
        q1w2e3r4 abc abcd abcde abcdef abcdefg abcdefgh abcabc aaa aaaa aaaaaa xxx xxxx xxxxxx zzz zzzzzz
        abc123 a1b2c3 a1b2c3d4 123abc 123qwe qwe123 123asd iloveyou iloveu ilovehim iloveher ilove love
        lover loveme lovely lover1 loveyou youandme kiss kisses hug forever always never nothing something
        everything anything whatever someone nobody everyone sunshine moonlight starlight rainbow summer
        winter spring autumn january february march april june july august september october november
        december monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday morning
        evening midnight night weekend holiday birthday christmas easter halloween thanksgiving princess
        prince queen king angel angels devil demon heaven hell jesus christ god lord faith hope grace
        blessed church bible maria mary joseph michael jennifer jessica ashley amanda sarah daniel david
        robert john james william richard thomas charles christopher matthew anthony mark donald steven paul
        andrew joshua kenneth kevin brian george timothy ronald jason edward jeffrey ryan jacob gary
        nicholas eric jonathan stephen larry justin scott brandon benjamin samuel gregory alexander
        alexandra alex frank patrick raymond jack dennis jerry tyler aaron jose adam nathan henry zachary
        douglas peter kyle noah ethan jeremy walter christian keith roger terry austin sean gerald carl
        harold dylan arthur lawrence jordan jesse bryan billy bruce gabriel logan alan juan willie elijah
        randy roy vincent ralph eugene russell bobby mason philip louis patricia linda elizabeth barbara
        susan karen lisa nancy betty sandra margaret kimberly emily donna michelle carol dorothy melissa
        deborah stephanie rebecca sharon laura cynthia kathleen amy angela shirley anna brenda pamela emma
        nicole helen samantha katherine christine debra rachel carolyn janet catherine heather diane ruth
        julie olivia joyce virginia victoria kelly lauren christina joan evelyn judith megan andrea cheryl
        hannah jacqueline martha gloria teresa ann sara madison frances kathryn janice jean abigail alice
        julia judy sophia denise amber doris marilyn danielle beverly isabella theresa diana natalie
        brittany charlotte marie kayla alexis lori carlos luis miguel antonio pedro pablo sergio jorge
        alberto fernando diego javier manuel francisco ana carmen lucia sofia elena paula cristina marta
        rosa pilar isabel hans klaus jurgen wolfgang stefan andreas thorsten sebastian florian tobias markus
        katrin sabine monika petra claudia anja susanne heike hiroshi takashi kenji yuki sakura haruka
        yamada tanaka suzuki sato ivan sergei dmitri natasha olga tatiana muhammad ahmed ali fatima aisha
        omar hassan wei ming liu zhang wang chen li dragon monkey tiger lion panda bear wolf eagle falcon
        hawk shark dolphin whale horse pony unicorn phoenix cat cats kitty kitten dog dogs doggy puppy bunny
        rabbit hamster turtle snake spider scorpion butterfly bird chicken duck pig piggy cow goat sheep
        fish goldfish mouse rat fox buddy max bella charlie lucy cooper daisy rocky molly bailey sadie
        maggie buster lola toby ginger smokey shadow pepper oreo coco lucky lucky7 peanut sparky oscar simba
        nala garfield snoopy mickey minnie donaldduck pluto goofy bambi nemo shrek pikachu pokemon digimon
        naruto goku vegeta sasuke sailor zelda mario luigi sonic tetris minecraft fortnite roblox warcraft
        starcraft diablo halo doom quake counter counterstrike callofduty playstation nintendo xbox gamer
        gaming player game games winner champion legend hero ninja samurai warrior soldier sniper hunter
        killer assassin pirate viking knight wizard merlin gandalf frodo hobbit sauron harrypotter potter
        hogwarts dumbledore voldemort starwars startrek skywalker vader darthvader yoda jedi spock kirk
        enterprise matrix neo trinity morpheus batman superman spiderman ironman hulk thor wolverine
        deadpool joker avengers marvel superhero wonderwoman football soccer baseball basketball hockey
        tennis golf rugby cricket boxing racing running swimming cycling skater surfer surfing skiing
        fishing hunting dancer dancing ballet barcelona realmadrid madrid liverpool arsenal chelsea
        manchester united juventus milan inter bayern dortmund schalke hamburg benfica porto ajax yankees
        redsox cowboys steelers packers raiders eagles giants dodgers lakers bulls celtics knicks rangers
        maradona messi ronaldo ronaldinho beckham pele zidane jordan23 kobe lebron tyson schumacher hamilton
        senna london paris berlin munich vienna zurich rome venice amsterdam brussels prague warsaw moscow
        istanbul dubai tokyo osaka kyoto seoul beijing shanghai hongkong singapore bangkok sydney melbourne
        newyork boston chicago dallas houston phoenix1 denver seattle miami atlanta detroit losangeles
        hollywood california texas florida america canada mexico brasil brazil argentina chile colombia
        england britain scotland ireland france germany deutschland austria schweiz italia italy espana
        spain portugal greece turkey russia ukraine poland sweden norway finland denmark holland india
        pakistan china japan korea vietnam indonesia australia africa mercedes bmw audi porsche ferrari
        lamborghini maserati bugatti ford mustang chevy camaro corvette dodge toyota honda nissan mazda
        subaru suzuki1 yamaha kawasaki ducati harley davidson volkswagen volvo tesla apple google microsoft
        windows linux ubuntu debian android iphone ipad samsung sony nokia facebook twitter instagram
        youtube whatsapp amazon netflix spotify yahoo hotmail gmail internet computer laptop keyboard mouse1
        monitor printer server network wireless router modem cisco oracle mysql postgres database backup
        system bitcoin bitcoins ethereum crypto blockchain satoshi nakamoto hodl tothemoon lambo binance
        coinbase kraken bitmex wallet exchange trader trading money cash dollar euro gold silver diamond
        rich richie million millionaire billion freedom success victory power energy magic mystery destiny
        fortune lucky13 happy happiness smile smiley crazy funny sexy sexygirl hottie babygirl babyboy baby
        honey sugar sweet sweetie sweetheart darling dear cutie cute beautiful beauty pretty handsome
        gorgeous flower flowers rose roses lily daisy1 violet jasmine orchid tulip blossom cherry strawberry
        apple1 banana orange lemon peach mango cookie cookies chocolate candy icecream cupcake muffin
        pancake cheese pizza burger hotdog bacon coffee tea beer wine vodka whiskey tequila cocacola coke
        pepsi sprite water fire earth wind storm thunder lightning snow ice rain cloud sky star stars moon
        sun planet galaxy universe space rocket shuttle apollo saturn jupiter venus mars mercury neptune red
        blue green yellow black white purple pink brown grey silver1 blackcat blackjack whitehorse bluesky
        music guitar piano drums violin metal metallica nirvana slipknot eminem beatles acdc ironmaiden
        ledzeppelin pinkfloyd queen1 elvis madonna michaeljackson rihanna beyonce shakira justinbieber
        onedirection school college university student teacher doctor nurse police lawyer engineer captain
        general sergeant major family mother father mommy mummy mama papa daddy mom dad sister brother
        grandma grandpa uncle aunt cousin friend friends bestfriend bestfriends girlfriend boyfriend husband
        wife son daughter children kids home house garden kitchen window door mirror bottle table chair
        office work job company business fuckyou fuckoff fuck shit asshole bitch bastard bollocks damn idiot
        stupid loser sucker bigdick pussy trustno1 trustme letmesee nopassword mypassword thepassword
        yourpassword newpassword oldpassword passwordpassword password123456 thisismypassword myname myself
        mine mylove mylife mybaby myspace correcthorsebatterystaple correct horse battery staple hunter2
        p455w0rd pa55word pa55w0rd p4ssw0rd contrasena clave amor teamo tequiero princesa corazon estrella
        mariposa chocolate1 passwort kennwort geheim schatz schatzi liebe ichliebedich hallo hallo123
        motdepasse azertyuiop soleil bonjour jetaime doudou loulou chouchou senha amorzinho parola ciao
        ciaociao juventus1 wachtwoord welkom haslo polska qwerty1 pasuwado aishiteru arigato konnichiwa
        sayonara hello hellohello hello123 hi hey howdy goodbye bye thanks thankyou please sorry yes no okay
        cool awesome amazing perfect great good best better nice fine super1 mega ultra turbo
        """
}
