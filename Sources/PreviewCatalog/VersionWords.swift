/// What sets one version of a song apart from another.
enum Version: Hashable, CaseIterable {
  case live, acoustic, unplugged, demo, rehearsal, session, commentary
  case remix, mix, mixed, edit, extended, mashup, medley
  case instrumental, karaoke, cover, tribute, aCappella
  case spedUp, slowed, reverb, eightD, nightcore, lofi, bassBoosted
  case rerecorded, otherVersion

  /// Those that another artist makes of the song.
  static let imitations: Set<Version> = [.karaoke, .cover, .tribute]

  /// The words and groups of words that say it.
  var phrases: [String] {
    switch self {
    case .live: ["live", "in concert", "concert"]
    case .acoustic: ["acoustic", "acoustically"]
    case .unplugged: ["unplugged"]
    case .demo: ["demo", "demos"]
    case .rehearsal: ["rehearsal"]
    case .session: ["session", "sessions"]
    case .commentary: ["commentary", "interview"]
    case .remix: ["remix", "remixed", "rmx", "rework", "bootleg"]
    case .mix: ["mix"]
    case .mixed: ["mixed"]
    case .edit: ["edit"]
    case .extended: ["extended"]
    case .mashup: ["mashup", "mash up"]
    case .medley: ["medley"]
    case .instrumental: ["instrumental", "instrumentals"]
    case .karaoke: ["karaoke", "backing track", "sing along", "party tyme"]
    case .cover: ["cover", "covers", "covered", "cover band"]
    case .tribute:
      [
        "tribute", "tributes", "originally performed by", "made famous by", "in the style of",
        "as made famous",
      ]
    case .aCappella: ["a cappella", "acappella", "acapella", "a capella"]
    case .spedUp: ["sped up", "speed up", "spedup"]
    case .slowed: ["slowed", "slowed down"]
    case .reverb: ["reverb"]
    case .eightD: ["8d", "8d audio"]
    case .nightcore: ["nightcore"]
    case .lofi: ["lofi", "lo fi"]
    case .bassBoosted: ["bass boosted", "bassboosted"]
    case .rerecorded: ["re recorded", "rerecorded", "re recording", "rerecording"]
    case .otherVersion: ["version"]
    }
  }

  /// What is said of a version without making it another one.
  ///
  /// "Radio edit" stands here because shops disagree about where they write it.
  static let neutral = [
    "remaster", "remastered", "remastering", "deluxe", "deluxe edition", "deluxe version",
    "album version", "single version", "original version", "lp version", "original mix",
    "original recording", "radio edit", "single edit", "radio version", "explicit",
    "explicit version", "clean", "clean version", "mono", "mono version", "stereo",
    "stereo version", "bonus", "bonus track", "bonus track version", "anniversary",
    "anniversary edition", "expanded", "expanded edition", "soundtrack", "ost",
    "motion picture", "remastered version", "remaster version", "digital remaster",
  ]

  /// Numbers that make a title another title: "Hayloft" and "Hayloft II".
  static let numerals: Set<String> = [
    "ii", "iii", "iv", "vi", "vii", "viii", "part", "pt", "vol", "volume", "reprise", "interlude",
    "intro", "outro", "skit",
  ]
}

/// Words parted into the versions they name, whether they name neutral ones, and the rest.
struct VersionReading {
  private(set) var versions: Set<Version> = []
  private(set) var isNeutral = false
  private(set) var rest: [String] = []
  /// All words but those that say nothing of the version.
  private(set) var besidesNeutral: [String] = []

  /// - Parameter words: what stands in brackets, or is left of what a person typed.
  init(_ words: [String]) {
    var index = 0
    while index < words.count {
      let longest = Self.phrases[words[index]]?.first { words[index...].starts(with: $0.words) }
      if let longest {
        if let version = longest.version {
          versions.insert(version)
          besidesNeutral += longest.words
        } else {
          isNeutral = true
        }
        index += longest.words.count
      } else {
        rest.append(words[index])
        besidesNeutral.append(words[index])
        index += 1
      }
    }
    // "Acoustic Version" says no more than "Acoustic".
    if versions.count > 1 || isNeutral { versions.remove(.otherVersion) }
    // The year of "Remastered 2011" belongs to it.
    let isYear = { (word: String) in word.utf8.count == 4 && Int(word) != nil }
    if isNeutral { rest.removeAll(where: isYear) }
    if isNeutral { besidesNeutral.removeAll(where: isYear) }
  }

  private typealias Phrase = (words: [String], version: Version?)

  /// All phrases by their first word, the longest first: "radio edit" is found before "radio".
  private static let phrases: [String: [Phrase]] = {
    let versions = Version.allCases.flatMap { version in
      version.phrases.map { ($0, Version?.some(version)) }
    }
    let all = (versions + Version.neutral.map { ($0, nil) }).map { phrase, version -> Phrase in
      (phrase.split(separator: " ").map(String.init), version)
    }
    return Dictionary(grouping: all.sorted { $0.words.count > $1.words.count }) { $0.words[0] }
  }()
}
