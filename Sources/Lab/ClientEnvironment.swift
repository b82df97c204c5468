import AdapterProtocol
import Foundation
import InternetAddresses
package import LabKernel
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
    init(
        nameServers: [IPAddress], resolver: ResolverPlan = ResolverPlan(), authorityPEM: String, authorityHash: String,
        files: [String: [UInt8]], proxies: [ProxyPlan] = [], isolation: ClientIsolation = ClientIsolation()
    ) {
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
            .directory(path: ClientEnvironment.folder, files: files),
        ]
        // With /run also the sockets of the host's own resolvers, which a network namespace does not isolate.
        overlays += isolation.overlays(currentDirectory: FileManager.default.currentDirectoryPath)
        var environment = isolation.inherited(from: ProcessInfo.processInfo.environment)
        // That of a lab around this one.
        environment[ControlServer.variable] = nil
        environment.merge(ClientEnvironment.environment(of: proxies)) { _, lab in lab }
        let bundle = "/etc/ssl/certs/ca-certificates.crt"
        for name in ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "DENO_CERT"] {
            environment[name] = bundle
        }
        environment["SSL_CERT_DIR"] = "/etc/ssl/certs"
        environment["JAVA_TOOL_OPTIONS"] = [environment["JAVA_TOOL_OPTIONS"], JavaTrustStore.options]
            .compactMap(\.self).joined(separator: " ")
        environment["TMPDIR"] = ClientEnvironment.folder
        for name in ["XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"] {
            environment[name] = ClientEnvironment.folder
        }
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        self.environment = environment
    }

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
        let scheme =
            switch proxy.kind {
            case .http: "http"
            case .https: "https"
            case .socks5: "socks5h"
            }
        let url = "\(scheme)://\(ProxyPlan.host):\(proxy.port)"
        let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        return Dictionary(uniqueKeysWithValues: names.map { ($0, url) })
    }
}

/// A trust store for Java, which reads neither PEM files nor the variables of OpenSSL.
///
/// The format is JKS, version 2: a list of entries and a digest over them. The digest is only verified with a password,
/// and a trust store is read without one.
enum JavaTrustStore {
    static let name = "crosswind.jks"
    /// Every Java virtual machine reads these from JAVA_TOOL_OPTIONS and notes it on standard error.
    static let options =
        "-Djavax.net.ssl.trustStore=/etc/ssl/certs/\(name) -Djavax.net.ssl.trustStoreType=JKS"

    static func contents(certificatePEM: String) -> [UInt8] {
        let lines = certificatePEM.split(separator: "\n").drop { !$0.hasPrefix("-----BEGIN") }.dropFirst()
        let certificate = Data(base64Encoded: lines.prefix { !$0.hasPrefix("-----END") }.joined()) ?? Data()
        var store = bytes(0xFEED_FEED) + bytes(2) + bytes(1)
        let certificateEntry: UInt32 = 2
        store += bytes(certificateEntry) + text("crosswind")
        store += Array(repeating: 0, count: 8)  // The time of its creation.
        store += text("X.509") + bytes(UInt32(certificate.count)) + certificate
        return store + Array(repeating: 0, count: 20)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func text(_ text: String) -> [UInt8] {
        bytes(UInt32(text.utf8.count)).suffix(2) + Array(text.utf8)
    }
}
