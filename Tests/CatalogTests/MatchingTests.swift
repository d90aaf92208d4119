import Testing

@testable import PreviewCatalog

struct MatchingTests {
  struct Row: CustomTestStringConvertible {
    var name: String
    var asked: String
    /// Each as `title | artist | album | seconds`, the last two at will; `!` in front: no preview.
    var tracks: [String]
    /// The numbers of the chosen tracks, from 1: none, one, or those to choose from; -1 fills the
    /// place of the second where a person must confirm a single one.
    var chosen: [Int]
    var testDescription: String { "\(name): \(asked)" }

    var candidates: [Track] {
      tracks.enumerated().map { index, text in
        let parts = text.drop { $0 == "!" }.split(separator: "|").map {
          $0.split(separator: " ").joined(separator: " ")
        }
        return Track(
          id: "\(index + 1)", title: parts[0], artist: parts[1],
          album: parts.count > 2 ? parts[2] : nil,
          duration: parts.count > 3 ? Double(parts[3]) : nil,
          previewURL: text.hasPrefix("!") ? nil : "https://a.example/\(index)")
      }
    }
  }

  static let blood = [
    "Raining Blood | Slayer | Reign In Blood | 254", "Raining Blood (Live) | Slayer | Decade",
    "Raining Blood | Slayer | Reign In Blood (Expanded) | 255", "Angel of Death | Slayer",
    "Raining Blood | Tori Amos | Strange Little Girls",
    "Raining Blood (Karaoke Version) | Metal Karaoke Stars",
  ]

  @Test(arguments: [
    Row(name: "plain words", asked: "raining blood slayer", tracks: blood, chosen: [1]),
    Row(name: "artist first", asked: "Slayer - Raining Blood", tracks: blood, chosen: [1]),
    Row(name: "title first", asked: "Raining Blood – Slayer", tracks: blood, chosen: [1]),
    Row(name: "by", asked: "raining blood by slayer", tracks: blood, chosen: [1]),
    Row(name: "only a title", asked: "raining blood", tracks: blood, chosen: [1]),
    Row(name: "other artist", asked: "Tori Amos - Raining Blood", tracks: blood, chosen: [5]),
    Row(
      name: "album named", asked: "slayer reign in blood raining blood", tracks: blood, chosen: [1]),
    Row(name: "live asked", asked: "raining blood live slayer", tracks: blood, chosen: [2]),
    Row(name: "live asked", asked: "Slayer - Raining Blood (Live)", tracks: blood, chosen: [2]),
    Row(
      name: "live behind a dash", asked: "Slayer - Raining Blood - Live", tracks: blood, chosen: [2]
    ),
    Row(name: "karaoke asked", asked: "raining blood karaoke", tracks: blood, chosen: [6]),
    Row(
      name: "remix not there", asked: "Slayer - Raining Blood (X Remix)", tracks: blood, chosen: []),
    Row(name: "acoustic not there", asked: "raining blood acoustic", tracks: blood, chosen: []),
    Row(
      name: "remaster asked", asked: "Slayer - Raining Blood - 2013 Remaster", tracks: blood,
      chosen: [1]),
    Row(
      name: "remaster in words", asked: "raining blood slayer remastered 2013", tracks: blood,
      chosen: [1]),
    Row(name: "another song", asked: "Slayer - Reign", tracks: blood, chosen: []),
    Row(name: "another artist", asked: "Metallica - Raining Blood", tracks: blood, chosen: []),
    Row(name: "an artist alone", asked: "slayer", tracks: blood, chosen: []),
    Row(name: "part of a title", asked: "raining slayer", tracks: blood, chosen: [1, -1]),
    Row(name: "nothing found", asked: "a", tracks: [], chosen: []),
  ])
  func `one song and what stands beside it`(row: Row) { check(row) }

  @Test(arguments: [
    Row(
      name: "near tie", asked: "hello", tracks: ["Hello | Adele", "Hello | Lionel Richie"],
      chosen: [1, 2]),
    Row(
      name: "tie parted by the artist", asked: "hello adele",
      tracks: ["Hello | Lionel Richie", "Hello | Adele"], chosen: [2]),
    Row(
      name: "a cover far behind is no rival", asked: "hurt",
      tracks: ["Hurt | Johnny Cash", "Hurt | Johnny Cash", "X | Y", "Hurt | Nine Inch Nails"],
      chosen: [1]),
    Row(
      name: "re-issues are no rivals", asked: "Queen - Under Pressure",
      tracks: ["Under Pressure | Queen & David Bowie", "Under Pressure (Remastered 2011) | Queen"],
      chosen: [1]),
    Row(
      name: "without a preview the same recording", asked: "low tide",
      tracks: [
        "!Low Tide | A | One | 200", "Low Tide | A | Two | 320", "Low Tide | A | Three | 204",
      ],
      chosen: [3]),
    Row(
      name: "without any preview", asked: "low tide", tracks: ["!Low Tide | A"], chosen: [1]),
    Row(
      name: "part of the artist behind a dash", asked: "Prince - Kiss",
      tracks: ["Kiss | Prince Royce"], chosen: [1, -1]),
    Row(
      name: "the whole name wins", asked: "kiss prince",
      tracks: ["Kiss | Prince Royce", "Kiss | Prince"],
      chosen: [2]),
    Row(
      name: "a name in words", asked: "humble kendrick", tracks: ["HUMBLE. | Kendrick Lamar"],
      chosen: [1]),
    Row(
      name: "studio before live album", asked: "about a girl nirvana",
      tracks: [
        "About a Girl | Nirvana | MTV Unplugged in New York", "About a Girl | Nirvana | Bleach",
      ],
      chosen: [2]),
    Row(
      name: "the album says it", asked: "nirvana about a girl unplugged",
      tracks: [
        "About a Girl | Nirvana | Bleach", "About a Girl | Nirvana | MTV Unplugged in New York",
      ],
      chosen: [2]),
  ])
  func `which of several`(row: Row) { check(row) }

  @Test(arguments: [
    Row(
      name: "live in the name", asked: "live and let die", tracks: ["Live and Let Die | Wings"],
      chosen: [1]),
    Row(
      name: "live in the artist", asked: "lightning crashes live",
      tracks: ["Lightning Crashes | Live"], chosen: [1]),
    Row(
      name: "mix in the artist", asked: "black magic little mix",
      tracks: ["Black Magic | Little Mix"], chosen: [1]),
    Row(name: "alive", asked: "alive pearl jam", tracks: ["Alive | Pearl Jam"], chosen: [1]),
    Row(
      name: "alive live", asked: "alive live",
      tracks: ["Alive | Pearl Jam", "Alive (Live) | Pearl Jam"], chosen: [2]),
    Row(name: "remix unasked", asked: "A - Tide", tracks: ["Tide (B Remix) | A"], chosen: []),
    Row(
      name: "which remix", asked: "tide c remix",
      tracks: ["Tide (B Remix) | A", "Tide (C Remix) | A"], chosen: [2]),
    Row(
      name: "remix behind a dash", asked: "Tide (C Remix)",
      tracks: ["Tide | A", "Tide - C Remix | A"], chosen: [2]),
    Row(name: "sped up", asked: "tide", tracks: ["Tide (Sped Up) | A", "Tide | A"], chosen: [2]),
    Row(
      name: "radio edit is neutral", asked: "tide a", tracks: ["Tide (Radio Edit) | A"], chosen: [1]
    ),
    Row(name: "an edit is not", asked: "tide a", tracks: ["Tide (B Edit) | A"], chosen: []),
    Row(name: "original mix", asked: "A - Tide", tracks: ["Tide (Original Mix) | A"], chosen: [1]),
    Row(
      name: "own version", asked: "love story taylor swift",
      tracks: ["Love Story (Taylor’s Version) | Taylor Swift"], chosen: []),
    Row(
      name: "own version asked", asked: "Taylor Swift - Love Story (Taylor's Version)",
      tracks: ["Love Story | Taylor Swift", "Love Story (Taylor’s Version) | Taylor Swift"],
      chosen: [2]),
    Row(
      name: "acoustic version is acoustic", asked: "tide acoustic",
      tracks: ["Tide (Acoustic Version) | A"], chosen: [1]),
    Row(name: "numerals", asked: "hayloft", tracks: ["Hayloft II | Mother Mother"], chosen: []),
    Row(
      name: "numerals asked", asked: "hayloft ii",
      tracks: ["Hayloft | Mother Mother", "Hayloft II | Mother Mother"], chosen: [2]),
    Row(
      name: "tribute artist", asked: "tide", tracks: ["Tide | The A Tribute Band", "Tide | A"],
      chosen: [2]),
    Row(
      name: "performed by", asked: "A - Tide", tracks: ["Tide (Originally Performed By A) | B"],
      chosen: []),
    Row(name: "karaoke album", asked: "tide", tracks: ["Tide | B | Karaoke Hits"], chosen: []),
    Row(
      name: "a bare instrumental", asked: "tide a", tracks: ["Tide Instrumental | A"], chosen: []),
  ])
  func `versions`(row: Row) { check(row) }

  @Test(arguments: [
    Row(
      name: "accents", asked: "motley crue - dr feelgood", tracks: ["Dr. Feelgood | Mötley Crüe"],
      chosen: [1]),
    Row(
      name: "accents apart", asked: "Beyonce\u{301} halo", tracks: ["Halo | Beyoncé"], chosen: [1]),
    Row(name: "strokes and ß", asked: "strasse lodz", tracks: ["Straße | Łódź"], chosen: [1]),
    Row(
      name: "quotes", asked: "dont stop believin journey",
      tracks: ["Don’t Stop Believin' | Journey"], chosen: [1]),
    Row(
      name: "ampersand", asked: "simon and garfunkel - cecilia",
      tracks: ["Cecilia | Simon & Garfunkel"], chosen: [1]),
    Row(
      name: "no ampersand", asked: "cecilia simon garfunkel",
      tracks: ["Cecilia | Simon & Garfunkel"], chosen: [1]),
    Row(name: "slash", asked: "thunderstruck acdc", tracks: ["Thunderstruck | AC/DC"], chosen: [1]),
    Row(
      name: "points", asked: "rem - losing my religion", tracks: ["Losing My Religion | R.E.M."],
      chosen: [1]),
    Row(
      name: "hyphen in the name", asked: "rearranged", tracks: ["Re-Arranged | Limp Bizkit"],
      chosen: [1]),
    Row(name: "article", asked: "Beatles - Help!", tracks: ["Help! | The Beatles"], chosen: [1]),
    Row(
      name: "article of the title", asked: "sound of silence",
      tracks: ["The Sound of Silence | Simon & Garfunkel"], chosen: [1]),
    Row(
      name: "bracket of the name", asked: "satisfaction rolling stones",
      tracks: ["(I Can't Get No) Satisfaction | The Rolling Stones"], chosen: [1]),
    Row(
      name: "bracket written out", asked: "i can't get no satisfaction",
      tracks: ["(I Can't Get No) Satisfaction | The Rolling Stones"], chosen: [1]),
    Row(
      name: "guest in the title", asked: "Eminem - Love the Way You Lie",
      tracks: ["Love the Way You Lie (feat. Rihanna) | Eminem"], chosen: [1]),
    Row(
      name: "guest asked", asked: "Eminem ft. Rihanna - Love the Way You Lie",
      tracks: ["Love the Way You Lie | Eminem & Rihanna"], chosen: [1]),
    Row(
      name: "guest in words", asked: "love the way you lie eminem feat rihanna",
      tracks: ["Love the Way You Lie (feat. Rihanna) | Eminem"], chosen: [1]),
    Row(
      name: "soundtrack", asked: "Idina Menzel - Let It Go",
      tracks: ["Let It Go (From \"Frozen\") | Idina Menzel"], chosen: [1]),
    Row(name: "wide letters", asked: "Ｔｉｄｅ", tracks: ["Tide | A"], chosen: [1]),
    Row(name: "signs alone", asked: "÷", tracks: ["Plus | A", "÷ | Ed"], chosen: [2]),
    Row(name: "other script", asked: "米津玄師 - 感電", tracks: ["感電 | 米津玄師"], chosen: [1]),
  ])
  func `spelling`(row: Row) { check(row) }

  private func check(_ row: Row) {
    let expected: Matching.Choice =
      switch row.chosen.count {
      case 0: .noMatch
      case 1: .match(row.candidates[row.chosen[0] - 1])
      default: .ambiguous(row.chosen.filter { $0 > 0 }.map { row.candidates[$0 - 1] })
      }
    #expect(Matching.choose(from: row.candidates, for: row.asked) == expected)
  }

  @Test func `a list for choosing shows recordings first, then re-issues, then the rest`() {
    let tracks = Row(name: "", asked: "", tracks: Self.blood, chosen: []).candidates
    #expect(
      Matching.ranked(tracks, for: "raining blood").map(\.id) == ["1", "5", "3", "2", "4", "6"])
  }
}
