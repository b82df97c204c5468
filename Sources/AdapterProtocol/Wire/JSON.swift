// The values of JSON are part of the protocol: a program that imports the protocol can use them.
@_exported public import JSON
