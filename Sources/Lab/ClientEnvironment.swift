import AdapterProtocol
import Foundation
import InternetAddresses
package import LabKernel
import Record
import ScenarioLanguage

/// The environment of a program inside the lab: the lab's resolver, hosts and certificate authority, a private folder
/// for its files, and environment variables without the host's proxies.
package struct ClientEnvironment {
    /// The private folder: a tmpfs of the program's own, removed when the program ends.
    package static let folder = "/mnt"

    package var overlays: [SpawnRequest.Overlay]
    /// The file that the program's resolver reads; it is updated when the interfaces change while the program runs.
    let resolverFile: ResolverFile
    package var environment: [String: String]
    /// The rights and limits of a program in this environment.
    package let isolation: ClientIsolation

    /// `files` are placed in the private folder under their names.
    ///
    /// - Parameters:
    ///   - power: The power supply that the program sees; nil: that of the machine.
    ///   - isLaunched: True to give the program a command that asks the harness to launch it.
    ///   - fillsDisk: True for a private folder that is small enough to be filled.
    init(
        nameServers: [IPAddress], resolver: ResolverPlan = ResolverPlan(), authorityPEM: String, authorityHash: String,
        files: [String: [UInt8]], proxies: [ProxyPlan] = [], power: PowerState? = nil, clock: ClockPlan? = nil,
        isLaunched: Bool = false, fillsDisk: Bool = false, isolation: ClientIsolation = ClientIsolation()
    ) {
        var files = files
        if isLaunched { files[LaunchCommand.name] = LaunchCommand.script }
        if let clock { files[ClockFile.name] = [UInt8](ClockFile.text(clock.offset).utf8) }
        self.isolation = isolation
        let certificate = [UInt8](authorityPEM.utf8)
        resolverFile = ResolverFile(plan: resolver, nameServers: nameServers)
        overlays = [
            .file(path: ResolverFile.path, contents: [UInt8](resolverFile.text.utf8)),
            .file(path: "/etc/hosts", contents: [UInt8]("127.0.0.1 localhost\n::1 localhost\n".utf8)),
            // Only these two sources: others (resolve, mymachines, mdns) would query daemons of the host.
            .file(
                path: "/etc/nsswitch.conf", contents: [UInt8]("passwd: files\ngroup: files\nhosts: files dns\n".utf8)),
            .directory(
                path: "/etc/ssl/certs",
                files: [
                    "ca-certificates.crt": certificate, "\(authorityHash).0": certificate,
                    JavaTrustStore.name: JavaTrustStore.contents(certificatePEM: authorityPEM),
                ]),
            .file(path: "/etc/pki/tls/certs/ca-bundle.crt", contents: certificate),
            .directory(
                path: ClientEnvironment.folder, files: files, size: fillsDisk ? DiskFiller.size : nil),
        ]
        overlays += BrowserPolicy.overlays(certificatePEM: authorityPEM)
        // With /run also the sockets of the host's own resolvers, which a network namespace does not isolate.
        overlays += isolation.overlays(currentDirectory: FileManager.default.currentDirectoryPath)
        var environment = isolation.inherited(from: ProcessInfo.processInfo.environment)
        // That of a lab around this one.
        environment[ControlServer.variable] = nil
        environment.merge(ClientEnvironment.environment(of: proxies)) { _, lab in lab }
        let bundle = "/etc/ssl/certs/ca-certificates.crt"
        for name in ClientEnvironment.bundleVariables { environment[name] = bundle }
        environment["SSL_CERT_DIR"] = "/etc/ssl/certs"
        environment["JAVA_TOOL_OPTIONS"] = [environment["JAVA_TOOL_OPTIONS"], JavaTrustStore.options]
            .compactMap(\.self).joined(separator: " ")
        environment["TMPDIR"] = ClientEnvironment.folder
        for name in ["XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"] {
            environment[name] = ClientEnvironment.folder
        }
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        if let power { overlays.append(PowerSupplyFolder.overlay(power)) }
        if let clock { environment[ClockPlan.variable] = clock.text(now: Date()) }
        if isLaunched { environment[LaunchCommand.variable] = LaunchCommand.path }
        self.environment = environment
    }

    /// The variables that name a file of trusted certificates. Most programs read the system's file anyway, but a
    /// variable of the user would take precedence over it.
    static let bundleVariables = [
        "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "DENO_CERT", "GIT_SSL_CAINFO",
        "PIP_CERT", "CARGO_HTTP_CAINFO", "AWS_CA_BUNDLE", "npm_config_cafile",
    ]

    /// The finding for a program that has filled its private folder.
    package static let fullFolder =
        "the program's private folder \(folder) is full: it holds at most a quarter of the machine's memory"

    /// True while nothing more fits into the private folder of a running program.
    package func isFolderFull(of process: SpawnedProcess) -> Bool {
        let path = process.fileSystemRoot + ClientEnvironment.folder
        guard let space = try? FileManager.default.attributesOfFileSystem(forPath: path),
            let free = space[.systemFreeSize] as? NSNumber, let size = space[.systemSize] as? NSNumber
        else { return false }
        return size.int64Value > 0 && free.int64Value == 0
    }

    /// Returns the environment of one adapter, which shares no folder for temporary files with the programs of other
    /// labs: every adapter has a small process id of its own namespace, so names made of it collide in `/tmp` (a JVM
    /// then prints a warning on standard output).
    ///
    /// A program that lies in `/tmp` itself, or finds its parts there, keeps the folder, because it could not be started
    /// without it; so does one whose user shares the folder.
    package func privateFolders(for command: [String], in folder: String) -> ClientEnvironment {
        var own = self
        own.environment["XDG_RUNTIME_DIR"] = ClientEnvironment.folder
        // A relative word may name a file in the working folder; links may lead into the folder that is hidden.
        let files = command.map { URL(fileURLWithPath: $0, relativeTo: URL(fileURLWithPath: folder + "/")) }
            .map { $0.absoluteURL.resolvingSymlinksInPath().path }
        let searched = environment.filter { $0.key.hasSuffix("PATH") || $0.key == "VIRTUAL_ENV" }.map(\.value)
        let needsShared =
            (command + files + searched).contains { $0.contains(ClientEnvironment.temporary + "/") }
            || isolation.shared.contains {
                URL(fileURLWithPath: $0).resolvingSymlinksInPath().path == ClientEnvironment.temporary
            }
        if !needsShared { own.overlays.append(.hidden(path: ClientEnvironment.temporary)) }
        return own
    }

    private static let temporary = "/tmp"

    /// Returns the variables by which Linux programs find the system's proxy. HTTP_PROXY is omitted because CGI uses it
    /// for a request header.
    static func environment(of proxies: [ProxyPlan]) -> [String: String] {
        guard let proxy = proxies.first(where: \.isSystem) else { return [:] }
        let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        return Dictionary(uniqueKeysWithValues: names.map { ($0, proxy.url) })
    }
}
