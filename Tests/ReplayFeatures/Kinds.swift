/// The number of kinds of features that are generated.
public let featureKinds = 0
