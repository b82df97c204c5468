/// Callbacks leave through the task's line.
extension TaskLoad {
    func post(_ callback: @escaping @Sendable (DelegateCaller) -> Void) {
        let caller = caller
        line.post { callback(caller) }
    }

    /// The first message of a task.
    func tellCreated() {
        guard hasDelegateForRest else { return }
        post { caller in
            caller.tell { $0.urlSession(caller.session, didCreateTask: caller.task) }
        }
    }

    /// Asks the delegate and goes on with its answer, or with `otherwise` when nobody implements the message. Until then nothing more
    /// is read. The answer may come later and from any thread (DLGT-12).
    func ask<Answer: Sendable>(
        _ otherwise: Answer, _ message: @escaping @Sendable (DelegateCaller, OneAnswer<Answer>) -> Bool,
        then goOn: @escaping @Sendable (TaskLoad, Answer) -> Void
    ) {
        question += 1
        isAsking = true
        hold(.answering, true)
        updateReading()
        let asked = question
        let number = number
        post { caller in
            let answer = OneAnswer<Answer> { value in
                caller.session.tell(number) { load in
                    guard load.question == asked, !load.isEnded else { return }
                    load.isAsking = false
                    load.hold(.answering, false)
                    goOn(load, value)
                    load.updateReading()
                }
            }
            if !message(caller, answer) { answer(otherwise) }
        }
    }

    /// Asks a store, which may answer later and from any thread; a store of this library answers at once. Nothing is read until then.
    func look<Answer: Sendable>(
        _ store: (OneAnswer<Answer?>) -> Void, then goOn: @escaping @Sendable (TaskLoad, Answer?) -> Void
    ) {
        let take = awaitAnswer(goOn)
        store(OneAnswer<Answer?>(take))
        // Behind an answer that was given at once.
        if !policies.stores.waitsForAnswers { take(nil) }
    }

    /// Nothing is read until what is returned was called, from whatever thread; the first call counts.
    func awaitAnswer<Answer: Sendable>(_ goOn: @escaping @Sendable (TaskLoad, Answer) -> Void) -> @Sendable (Answer) -> Void {
        question += 1
        isAsking = true
        updateReading()
        let asked = question
        let (number, session) = (number, session)
        return { value in
            session.tell(number) { load in
                guard load.question == asked, load.isAsking, !load.isEnded else { return }
                load.isAsking = false
                goOn(load, value)
                load.updateReading()
            }
        }
    }
}
