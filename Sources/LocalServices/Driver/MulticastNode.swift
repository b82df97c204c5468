import DNSMessages
import Glibc
import InternetAddresses
import NIOCore
import NIOPosix
import NetworkMonitor
import Synchronization

/// Multicast DNS on all links of this machine, for all services and browsers of the process. Starts with its first use.
final class MulticastNode: Sendable {
    static let shared = MulticastNode()

    /// A published service on all links.
    struct Publication: Sendable {
        let instance: ServiceInstance
        let port: UInt16
        var text: [UInt8]
        let mayRename: Bool
        /// Called on the event loop.
        let report: @Sendable (Responder.Event) -> Void
    }

    /// The records of one link, under the name of its interface.
    struct View {
        let interface: String
        let cache: RecordCache
    }

    /// A reader of the caches. `evaluate` is called on the event loop with every change, and returns the questions that
    /// must be asked for it from then on.
    private struct Watch {
        let evaluate: ([View]) -> Set<DNSQuestion>
        var questions: Set<DNSQuestion> = []
    }

    private struct State {
        var links: [CInt: MulticastLink] = [:]
        var publications: [Int: Publication] = [:]
        var watches: [Int: Watch] = [:]
        var monitor: DedicatedThread?
    }

    let eventLoop: any EventLoop
    private let state: NIOLoopBoundBox<State>
    private let lastNumber = Mutex(0)

    private init() {
        eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: eventLoop)
    }

    /// Returns a number for a publication or a watch.
    func nextNumber() -> Int {
        lastNumber.withLock { number in
            number += 1
            return number
        }
    }

    // MARK: Requests, from any thread

    func publish(_ id: Int, _ publication: Publication) {
        eventLoop.execute { [self] in
            start()
            state.value.publications[id] = publication
            for link in state.value.links.values { publish(id, publication, on: link) }
        }
    }

    func setText(_ text: [UInt8], of id: Int) {
        eventLoop.execute { [self] in
            state.value.publications[id]?.text = text
            for link in state.value.links.values {
                link.responder.setText(text, of: id, at: MulticastLink.now())
                link.schedule()
            }
        }
    }

    func withdraw(_ id: Int) {
        eventLoop.execute { [self] in
            guard state.value.publications.removeValue(forKey: id) != nil else { return }
            for link in state.value.links.values {
                link.perform(link.responder.withdraw(id))
                link.schedule()
            }
        }
    }

    /// Calls `evaluate` now and with every change of the caches, until `endWatch`.
    func watch(_ id: Int, _ evaluate: @escaping @Sendable ([View]) -> Set<DNSQuestion>) {
        eventLoop.execute { [self] in
            start()
            state.value.watches[id] = Watch(evaluate: evaluate)
            self.evaluate(id)
        }
    }

    func endWatch(_ id: Int) {
        eventLoop.execute { [self] in
            guard let watch = state.value.watches.removeValue(forKey: id) else { return }
            for link in state.value.links.values { change(watch.questions, [], on: link) }
        }
    }

    // MARK: On the event loop

    private func start() {
        guard state.value.monitor == nil else { return }
        // Created before the interfaces are listed, so that no change is missed.
        let changes = try? NetlinkMonitor.make()
        refresh()
        guard let changes else { return }
        let monitor = MonitorBox(changes)
        state.value.monitor = try? DedicatedThread(name: "local-services") { [self] in
            while monitor.waitForChange() { eventLoop.execute { [self] in refresh() } }
        }
    }

    /// Opens and closes links as the interfaces come and go. The loopback is used only when there is nothing else.
    private func refresh() {
        guard let socket = try? NetlinkSocket(), let links = try? socket.links(),
            let addresses = try? socket.addresses()
        else { return }
        var found: [CInt: (name: String, prefixes: [AddressPrefix])] = [:]
        for link in links where link.isUp && link.hasCarrier {
            let prefixes = addresses.filter { $0.index == link.index && !$0.isTentative }.map(\.prefix)
            if !prefixes.isEmpty { found[link.index] = (link.name, prefixes) }
        }
        let others = found.filter { link in !link.value.prefixes.contains { $0.address.isLoopback } }
        if !others.isEmpty { found = others }
        for (index, link) in state.value.links {
            // A new family needs a new socket.
            let families = Set(link.prefixes.map(\.address.isV6))
            guard let place = found[index], Set(place.prefixes.map(\.address.isV6)) == families else {
                state.value.links[index] = nil
                link.close()
                continue
            }
            if place.prefixes != link.prefixes { link.update(place.prefixes) }
        }
        for (index, place) in found where state.value.links[index] == nil { open(index, place.name, place.prefixes) }
        changed()
    }

    private func open(_ index: CInt, _ name: String, _ prefixes: [AddressPrefix]) {
        let link = MulticastLink(
            name: name, index: index, prefixes: prefixes, hostLabel: Self.hostLabel(), eventLoop: eventLoop,
            report: { [weak self] event in
                switch event {
                case .published(let id, _), .conflicted(let id): self?.state.value.publications[id]?.report(event)
                }
            }, cacheChanged: { [weak self] in self?.changed() })
        state.value.links[index] = link
        for (id, publication) in state.value.publications { publish(id, publication, on: link) }
        for watch in state.value.watches.values { change([], watch.questions, on: link) }
        link.open()
    }

    private func publish(_ id: Int, _ publication: Publication, on link: MulticastLink) {
        link.responder.publish(
            id, publication.instance, port: publication.port, text: publication.text, mayRename: publication.mayRename,
            at: MulticastLink.now())
        link.schedule()
    }

    private func changed() { for id in state.value.watches.keys { evaluate(id) } }

    private func evaluate(_ id: Int) {
        guard let watch = state.value.watches[id] else { return }
        let views = state.value.links.sorted { $0.key < $1.key }
            .map { View(interface: $0.value.name, cache: $0.value.querier.cache) }
        let questions = watch.evaluate(views)
        state.value.watches[id]?.questions = questions
        for link in state.value.links.values { change(watch.questions, questions, on: link) }
    }

    private func change(_ old: Set<DNSQuestion>, _ new: Set<DNSQuestion>, on link: MulticastLink) {
        guard old != new else { return }
        for question in new.subtracting(old) { link.querier.ask(question.name, question.type, at: MulticastLink.now()) }
        for question in old.subtracting(new) { link.querier.stop(question.name, question.type) }
        link.schedule()
    }

    /// The first label of this machine's name.
    private static func hostLabel() -> String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "host" }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let label = name.split(separator: ".").first.map(String.init) ?? ""
        return (1...63).contains(label.utf8.count) ? label : "host"
    }
}

/// The monitor of interfaces and addresses, which only its thread uses.
private final class MonitorBox: @unchecked Sendable {
    private var monitor: NetlinkMonitor

    init(_ monitor: consuming NetlinkMonitor) { self.monitor = monitor }

    /// Blocks until something changes. Returns false if the kernel's messages can no longer be read.
    func waitForChange() -> Bool {
        do { return try monitor.next() != nil } catch { return false }
    }
}
