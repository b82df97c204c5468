// The units are part of the scenario model: a program that imports the model can use them.
@_exported public import Units
