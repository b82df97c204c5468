/// Callbacks leave through the task's line.
extension TaskLoad {
    func post(_ callback: @escaping @Sendable (DelegateCaller) -> Void) {
        let caller = caller
        line.post { callback(caller) }
    }

    /// The first message of a task.
    func notifyCreated() {
        guard hasDelegateForRest else { return }
        post { caller in
            caller.callTaskDelegate { $0.urlSession(caller.session, didCreateTask: caller.task) }
        }
    }

    /// Asks the delegate and goes on with its answer, or with `otherwise` when nobody implements the message. Until then nothing more
    /// is read. The answer may come later and from any thread (DLGT-12).
    func callDelegate<Answer: Sendable>(
        _ otherwise: Answer, _ message: @escaping @Sendable (DelegateCaller, OneShotCompletion<Answer>) -> Bool,
        then goOn: @escaping @Sendable (TaskLoad, Answer) -> Void
    ) {
        question += 1
        awaitsDecision = true
        setHold(.deciding, true)
        updateReading()
        let asked = question
        let number = number
        post { caller in
            let decision = OneShotCompletion<Answer> { value in
                caller.session.perform(number) { load in
                    guard load.question == asked, !load.isEnded else { return }
                    load.awaitsDecision = false
                    load.setHold(.deciding, false)
                    goOn(load, value)
                    load.updateReading()
                }
            }
            if !message(caller, decision) { decision(otherwise) }
        }
    }

    /// Asks a store, which may answer later and from any thread; a store of this library answers at once. Nothing is read until then.
    func look<Answer: Sendable>(
        _ store: (OneShotCompletion<Answer?>) -> Void, then goOn: @escaping @Sendable (TaskLoad, Answer?) -> Void
    ) {
        let take = awaitDecision(goOn)
        store(OneShotCompletion<Answer?>(take))
        // Behind an answer that was given at once.
        if !policies.stores.waitsForStores { take(nil) }
    }

    /// Nothing is read until what is returned was called, from whatever thread; the first call counts.
    func awaitDecision<Answer: Sendable>(_ goOn: @escaping @Sendable (TaskLoad, Answer) -> Void)
        -> @Sendable (Answer) -> Void
    {
        question += 1
        awaitsDecision = true
        updateReading()
        let asked = question
        let (number, session) = (number, session)
        return { value in
            session.perform(number) { load in
                guard load.question == asked, load.awaitsDecision, !load.isEnded else { return }
                load.awaitsDecision = false
                goOn(load, value)
                load.updateReading()
            }
        }
    }
}
