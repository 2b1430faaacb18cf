import ReplayFeatures

print("kinds of features: \(featureKinds)")
