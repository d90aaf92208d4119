import PreviewThreads
import PreviewCatalog
import PreviewDownloads
import PreviewTransport

/// The rooms as one command line wants them: who asks, who fetches, and where.
final class Rooms: Sendable {
  let client: HTTPClient
  let downloader: Downloader
  private let context: Context
  private let options: Options
  private let openedCatalog = Lock<(any Catalog)?>(nil)

  /// Opens the media directory; the catalog waits until something is asked of it.
  init(_ options: Options, _ context: Context) async throws(DownloadFailure) {
    self.context = context
    self.options = options
    client = Self.client(options)
    var configuration = Downloader.Configuration(bootID: context.bootID)
    configuration.jobs = options.jobs
    configuration.retries = options.retries
    configuration.maximumSize = options.maximumSize
    downloader = try await Downloader(
      mediaDirectory: context.mediaDirectory(options), client: client, configuration: configuration)
    if let warning = downloader.warning { context.console.say("preview: \(warning)") }
  }

  static func client(_ options: Options) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.userAgent = "preview/\(version)"
    configuration.stallTimeout = options.timeout
    configuration.connectionsPerHost = options.jobs
    return HTTPClient(configuration: configuration)
  }

  /// The catalog to ask.
  func catalog() throws(CatalogError) -> any Catalog {
    if let opened = openedCatalog.withLock({ $0 }) { return opened }
    let catalog = try Self.catalog(options, context, client)
    openedCatalog.withLock { $0 = catalog }
    return catalog
  }

  /// The catalog that the command line, else the environment, names.
  static func catalog(
    _ options: Options, _ context: Context, _ client: HTTPClient
  ) throws(CatalogError) -> any Catalog {
    switch catalogName(options, context) {
    case "itunes", "auto":
      return ITunesCatalog(
        client: client, baseURL: context["PREVIEW_ITUNES_URL"] ?? "https://itunes.apple.com",
        country: options.country ?? "us")
    case "deezer":
      throw .unsupported("The Deezer catalog is not there yet; use --catalog itunes, or a file.")
    case let path:
      return try LocalCatalog(path: context.absolute(path))
    }
  }

  static func catalogName(_ options: Options, _ context: Context) -> String {
    options.catalog ?? context["PREVIEW_CATALOG"] ?? "auto"
  }
}
