/// Every named condition; to add one, add its file and a line here.
package enum ProfileCatalogue {
    package static let all: [LinkProfile] = [
        .perfect,
        .goodWifi,
        .poorWifi,
        .flakyWifi,
        .lte,
        .threeG,
        .edge,
        .veryBadNetwork,
        .dsl,
        .cable,
        .lossyHundred,
        .satellite,
        .satelliteLEO,
        .fiveG,
        .highLatencyDNS,
        .lieFi,
        .captivePortal,
        .tunnel,
        .elevator,
        .walkOut,
    ]

    package static func named(_ name: String) -> LinkProfile? { all.first { $0.name == name } }
}
