import Testing

/// Tests that open sockets: one after the other, because some of them count descriptors or measure time.
@Suite(.serialized, .timeLimit(.minutes(1))) enum LoopbackTests {}
