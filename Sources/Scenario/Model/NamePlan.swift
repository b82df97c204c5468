/// What the lab's name server answers.
package struct NamePlan: Hashable, Sendable {
    package var rules: [NameRule] = []
    package init() {}
}

/// The answer for one host name; `*` stands for every name without a rule of its own.
package struct NameRule: Hashable, Sendable {
    package enum Answer: Hashable, Sendable {
        /// The origin's addresses, in the families the network has.
        case origin
        /// These literal addresses, A or AAAA by their form.
        case addresses([String])
        case nxdomain, servfail, refused
        /// The server takes the query and never answers: a dead name service.
        case silent
    }
    package var host: String
    package var answer: Answer
    package var delay: Duration?
    package init(host: String, answer: Answer, delay: Duration? = nil) {
        self.host = host
        self.answer = answer
        self.delay = delay
    }
}
