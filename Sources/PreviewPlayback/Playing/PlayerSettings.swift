/// Where and as whom a player plays.
///
/// The player reads no environment: whoever makes the settings hands in what it says.
public struct PlayerSettings: Sendable {
  /// What the desktop's mixer calls the application.
  public var applicationName: String
  /// The application's identifier, under which the server remembers its volume.
  public var applicationID: String
  /// The application's version.
  public var applicationVersion: String
  /// The name of the application's icon in the desktop's icon theme.
  public var iconName: String
  /// The server's address as in `PULSE_SERVER` ("unix:/run/user/1000/pulse/native", "host"); nil for
  /// the one that libpulse finds, by its own configuration and `PULSE_SERVER`.
  public var server: String?
  /// The value of `XDG_RUNTIME_DIR`, for the message when no server is found there; nil where unset.
  public var runtimeDirectory: String?
  /// How long the server may take to answer.
  public var answerLimit: Duration
  /// How long the output may take no samples, suspended or not, before that is an error.
  public var stallLimit: Duration

  /// Makes settings.
  ///
  /// - Parameters:
  ///   - applicationName: what the desktop's mixer calls the application.
  ///   - applicationID: its identifier.
  ///   - applicationVersion: its version.
  ///   - iconName: of its icon in the desktop's icon theme.
  ///   - server: the server's address; nil for the one that libpulse finds.
  ///   - runtimeDirectory: the value of `XDG_RUNTIME_DIR`.
  ///   - answerLimit: how long the server may take to answer.
  ///   - stallLimit: how long the output may take no samples.
  public init(
    applicationName: String = "preview", applicationID: String = "preview",
    applicationVersion: String = "", iconName: String = "audio-x-generic",
    server: String? = nil, runtimeDirectory: String? = nil,
    answerLimit: Duration = .seconds(4), stallLimit: Duration = .seconds(10)
  ) {
    self.applicationName = applicationName
    self.applicationID = applicationID
    self.applicationVersion = applicationVersion
    self.iconName = iconName
    self.server = server
    self.runtimeDirectory = runtimeDirectory
    self.answerLimit = answerLimit
    self.stallLimit = stallLimit
  }

  /// The properties of the connection, by the names of PulseAudio's proplist.h.
  var applicationProperties: [(key: String, value: String)] {
    [
      ("application.name", applicationName), ("application.id", applicationID),
      ("application.version", applicationVersion), ("application.icon_name", iconName),
    ]
  }

  /// The properties of the stream of one clip.
  func streamProperties(title: String, artist: String) -> [(key: String, value: String)] {
    let name = [artist, title].filter { !$0.isEmpty }.joined(separator: " - ")
    return [
      ("media.name", name.isEmpty ? applicationName : name), ("media.title", title),
      ("media.artist", artist), ("media.role", "music"),
      // By the role alone the server would file the volume with that of every other music player.
      ("module-stream-restore.id", "sink-input-by-application-id:\(applicationID)"),
    ].filter { !$0.1.isEmpty }
  }

  /// Where a server is looked for, in words for a message.
  var searchedAddress: String {
    if let server { return server }
    guard let runtimeDirectory, !runtimeDirectory.isEmpty else { return "the default server" }
    return "unix:\(runtimeDirectory)/pulse/native"
  }
}
