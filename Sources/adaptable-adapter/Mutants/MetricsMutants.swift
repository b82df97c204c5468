import AdapterProtocol
import AdapterSupport

extension SessionMutant {
    /// Mutants whose tasks have wrong metrics.
    static let measuring = [
        SessionMutant(
            "metrics-begin-with-the-request", breaks: ["METR-01"], "begins the interval with the first request",
            metrics { metrics in
                let first = metrics.transactions.compactMap { $0.times[.fetchStart] }.min() ?? 0
                metrics.length -= first
                for index in metrics.transactions.indices {
                    metrics.transactions[index].times = metrics.transactions[index].times.mapValues { $0 - first }
                }
            }),
        SessionMutant(
            "metrics-of-the-last-request", breaks: ["METR-02"], "has the metrics of the last request only",
            metrics { $0.transactions = $0.transactions.suffix(1) }),
        SessionMutant(
            "challenges-are-redirects", breaks: ["METR-03"], "counts every further request as a redirect",
            metrics { $0.redirects = $0.transactions.count - 1 }),
        SessionMutant(
            "dates-of-earlier-connections", breaks: ["METR-04"], "gives reused connections the dates of connecting",
            transactions { transaction in
                guard transaction.isReused, let start = transaction.times[.fetchStart] else { return }
                (transaction.times[.connectStart], transaction.times[.connectEnd]) = (start, start)
            }),
        SessionMutant(
            "counts-decoded-bytes", breaks: ["METR-05"], "counts the bytes of a body after decoding only",
            transactions { $0.bodyBytesReceived = $0.bodyBytesDecoded }),
        SessionMutant(
            "everything-comes-from-the-network", breaks: ["METR-06"], "names the network as the source of everything",
            transactions { $0.source = .network }),
    ]

    private static func metrics(_ change: @escaping @Sendable (inout TaskMetrics) -> Void) -> Interception {
        .events { _, event in
            guard case .didFinishCollectingMetrics(let count, var metrics?) = event else { return [event] }
            change(&metrics)
            return [.didFinishCollectingMetrics(transactions: count, metrics: metrics)]
        }
    }

    private static func transactions(
        _ change: @escaping @Sendable (inout TaskMetrics.Transaction) -> Void
    ) -> Interception {
        metrics { metrics in
            for index in metrics.transactions.indices { change(&metrics.transactions[index]) }
        }
    }
}
