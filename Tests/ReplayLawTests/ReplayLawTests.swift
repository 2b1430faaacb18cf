import ReplayFeatures
import Testing

@Suite struct ReplayLawTests {}
