/// Callbacks, which run on the task's serial queue.
extension TaskLoad {
    func post(_ callback: @escaping @Sendable (DelegateCaller) -> Void) {
        let caller = caller
        line.post { callback(caller) }
    }

    /// Sends the first callback of the task. Without a delegate there is nothing to call, and even an empty operation
    /// slows down small requests.
    func notifyCreated() {
        guard hasDelegateForRest, session.delegate != nil || task.delegate != nil else { return }
        post { caller in
            caller.callTaskDelegate { $0.urlSession(caller.session, didCreateTask: caller.task) }
        }
    }

    /// Calls the delegate and continues with its decision, or with `otherwise` when no delegate implements the method.
    /// Until then nothing is read. The decision may come later and from any thread (DLGT-12).
    func callDelegate<Answer: Sendable>(
        _ otherwise: Answer, _ message: @escaping @Sendable (DelegateCaller, OneShotCompletion<Answer>) -> Bool,
        then continuation: @escaping @Sendable (TaskLoad, Answer) -> Void
    ) {
        let take = awaitDecision(of: .delegate, then: continuation)
        post { caller in
            let decision = OneShotCompletion<Answer>(take)
            if !message(caller, decision) { decision(otherwise) }
        }
    }

    /// Queries a store, which may reply later and from any thread; the stores of this library reply immediately.
    /// Nothing is read until the reply.
    func look<Answer: Sendable>(
        _ store: (OneShotCompletion<Answer?>) -> Void,
        then continuation: @escaping @Sendable (TaskLoad, Answer?) -> Void
    ) {
        let take = awaitDecision(of: .store, then: continuation)
        store(OneShotCompletion<Answer?>(take))
        // After a reply that was given synchronously.
        if !policies.stores.waitsForStores { take(nil) }
    }

    /// Pauses reading until the returned closure is called, from any thread; only its first call counts.
    func awaitDecision<Answer: Sendable>(
        of decider: Decider, then continuation: @escaping @Sendable (TaskLoad, Answer) -> Void
    ) -> @Sendable (Answer) -> Void {
        handle(.asked(decider))
        let (decision, number, session) = (machine.decision, number, session)
        return { value in
            session.perform(number) { load in
                guard load.machine.awaits(decision) else { return }
                load.handle(.decided)
                continuation(load, value)
                load.updateReading()
            }
        }
    }
}
