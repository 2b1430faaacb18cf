import Testing

/// What `@CasePathable` writes.
struct CasePathableExpansionTests {
  @Test func cases() {
    let expansion = Expansion(
      #"""
      @CasePathable
      public enum Action {
        /// Saves.
        case save
        case edit(String), move(from: Int, to: Int)
        case named(id: Int)  // trailing
        case `default`(() -> Void) /* and another */
      }
      """#)
    #expect(
      expansion.source
        == #"""
        public enum Action {
          /// Saves.
          case save
          case edit(String), move(from: Int, to: Int)
          case named(id: Int)  // trailing
          case `default`(() -> Void) /* and another */
          public nonisolated struct AllCasePaths: CasePaths.CasePathReflectable, Swift.Sendable, Swift.Sequence {
            public subscript(root: Action) -> CasePaths.PartialCaseKeyPath<Action> {
              if case .save = root {
                return \.save
              }
              if case .edit = root {
                return \.edit
              }
              if case .move = root {
                return \.move
              }
              if case .named = root {
                return \.named
              }
              if case .`default` = root {
                return \.`default`
              }
              return \.never
            }
            /// Saves.
            public var save: CasePaths.AnyCasePath<Action, Swift.Void> {
              CasePaths.AnyCasePath<Action, Swift.Void>(
                embed: {
                  .save
                },
                extract: {
                  if case .save = $0 {
                    ()
                  } else {
                    nil
                  }
                }
              )
            }
            public var edit: CasePaths.AnyCasePath<Action, String> {
              CasePaths.AnyCasePath<Action, String>(
                embed: {
                  .edit($0)
                },
                extract: {
                  if case .edit(let v0) = $0 {
                    v0
                  } else {
                    nil
                  }
                }
              )
            }
            public var move: CasePaths.AnyCasePath<Action, (from: Int, to: Int)> {
              CasePaths.AnyCasePath<Action, (from: Int, to: Int)>(
                embed: {
                  .move(from: $0.0, to: $0.1)
                },
                extract: {
                  if case .move(let v0, let v1) = $0 {
                    (v0, v1)
                  } else {
                    nil
                  }
                }
              )
            }
            public var named: CasePaths.AnyCasePath<Action, Int> {
              CasePaths.AnyCasePath<Action, Int>(
                embed: {
                  .named(id: $0)
                },
                extract: {
                  if case .named(let v0) = $0 {
                    v0
                  } else {
                    nil
                  }
                }
              )
            }
            public var `default`: CasePaths.AnyCasePath<Action, () -> Void> {
              CasePaths.AnyCasePath<Action, () -> Void>(
                embed: {
                  .`default`($0)
                },
                extract: {
                  if case .`default`(let v0) = $0 {
                    v0
                  } else {
                    nil
                  }
                }
              )
            }
            public func makeIterator() -> Swift.IndexingIterator<[CasePaths.PartialCaseKeyPath<Action>]> {
              var allCasePaths: [CasePaths.PartialCaseKeyPath<Action>] = []
              allCasePaths.append(\.save)
              allCasePaths.append(\.edit)
              allCasePaths.append(\.move)
              allCasePaths.append(\.named)
              allCasePaths.append(\.`default`)
              return allCasePaths.makeIterator()
            }
          }
          public nonisolated static var allCasePaths: AllCasePaths {
            AllCasePaths()
          }
        }
        extension Action: nonisolated CasePaths.CasePathable, nonisolated CasePaths.CasePathIterable {
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func conditionsAndAvailability() {
    let expansion = Expansion(
      #"""
      @available(macOS 99, *)
      @CasePathable
      enum Action {
        #if DEBUG
          case debug
          #if os(Linux)
            case both
          #endif
        #elseif os(Linux)
          case linux
        #else
          case other
        #endif
        @available(macOS 100, *)
        case later
      }
      """#)
    #expect(
      expansion.source
        == #"""
        @available(macOS 99, *)
        enum Action {
          #if DEBUG
            case debug
            #if os(Linux)
              case both
            #endif
          #elseif os(Linux)
            case linux
          #else
            case other
          #endif
          @available(macOS 100, *)
          case later
          nonisolated struct AllCasePaths: CasePaths.CasePathReflectable, Swift.Sendable, Swift.Sequence {
            subscript(root: Action) -> CasePaths.PartialCaseKeyPath<Action> {
              #if DEBUG
              if case .debug = root {
                return \.debug
              }
              #if os(Linux)
              if case .both = root {
                return \.both
              }
              #endif
              #elseif os(Linux)
              if case .linux = root {
                return \.linux
              }
              #else
              if case .other = root {
                return \.other
              }
              #endif
              if case .later = root {
                return \.later
              }
              return \.never
            }
            #if DEBUG
            var debug: CasePaths.AnyCasePath<Action, Swift.Void> {
              CasePaths.AnyCasePath<Action, Swift.Void>(
                embed: {
                  .debug
                },
                extract: {
                  if case .debug = $0 {
                    ()
                  } else {
                    nil
                  }
                }
              )
            }
            #if os(Linux)
            var both: CasePaths.AnyCasePath<Action, Swift.Void> {
              CasePaths.AnyCasePath<Action, Swift.Void>(
                embed: {
                  .both
                },
                extract: {
                  if case .both = $0 {
                    ()
                  } else {
                    nil
                  }
                }
              )
            }
            #endif
            #elseif os(Linux)
            var linux: CasePaths.AnyCasePath<Action, Swift.Void> {
              CasePaths.AnyCasePath<Action, Swift.Void>(
                embed: {
                  .linux
                },
                extract: {
                  if case .linux = $0 {
                    ()
                  } else {
                    nil
                  }
                }
              )
            }
            #else
            var other: CasePaths.AnyCasePath<Action, Swift.Void> {
              CasePaths.AnyCasePath<Action, Swift.Void>(
                embed: {
                  .other
                },
                extract: {
                  if case .other = $0 {
                    ()
                  } else {
                    nil
                  }
                }
              )
            }
            #endif
            @available(macOS 100, *)
            var later: CasePaths.AnyCasePath<Action, Swift.Void> {
              CasePaths.AnyCasePath<Action, Swift.Void>(
                embed: {
                  .later
                },
                extract: {
                  if case .later = $0 {
                    ()
                  } else {
                    nil
                  }
                }
              )
            }
            func makeIterator() -> Swift.IndexingIterator<[CasePaths.PartialCaseKeyPath<Action>]> {
              var allCasePaths: [CasePaths.PartialCaseKeyPath<Action>] = []
              #if DEBUG
              allCasePaths.append(\.debug)
              #if os(Linux)
              allCasePaths.append(\.both)
              #endif
              #elseif os(Linux)
              allCasePaths.append(\.linux)
              #else
              allCasePaths.append(\.other)
              #endif
              allCasePaths.append(\.later)
              return allCasePaths.makeIterator()
            }
          }
          nonisolated static var allCasePaths: AllCasePaths {
            AllCasePaths()
          }
        }
        @available(macOS 99, *)
        extension Action: nonisolated CasePaths.CasePathable, nonisolated CasePaths.CasePathIterable {
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func namesOfASequenceAndOfTheEnum() {
    let expansion = Expansion(
      #"""
      @CasePathable
      package indirect enum Tree<Element> {
        case leaf(Element)
        case node([Self], Self?)
      }
      """#)
    #expect(
      expansion.source
        == #"""
        package indirect enum Tree<Element> {
          case leaf(Element)
          case node([Self], Self?)
          package typealias _$Element = Element
          package nonisolated struct AllCasePaths: CasePaths.CasePathReflectable, Swift.Sendable, Swift.Sequence {
            package subscript(root: Tree) -> CasePaths.PartialCaseKeyPath<Tree> {
              if case .leaf = root {
                return \.leaf
              }
              if case .node = root {
                return \.node
              }
              return \.never
            }
            package var leaf: CasePaths.AnyCasePath<Tree, _$Element> {
              CasePaths.AnyCasePath<Tree, _$Element>(
                embed: CasePaths._$embed(Tree.leaf),
                extract: {
                  if case .leaf(let v0) = $0 {
                    v0
                  } else {
                    nil
                  }
                }
              )
            }
            package var node: CasePaths.AnyCasePath<Tree, ([Tree], Tree?)> {
              CasePaths.AnyCasePath<Tree, ([Tree], Tree?)>(
                embed: {
                  .node($0.0, $0.1)
                },
                extract: {
                  if case .node(let v0, let v1) = $0 {
                    (v0, v1)
                  } else {
                    nil
                  }
                }
              )
            }
            package func makeIterator() -> Swift.IndexingIterator<[CasePaths.PartialCaseKeyPath<Tree>]> {
              var allCasePaths: [CasePaths.PartialCaseKeyPath<Tree>] = []
              allCasePaths.append(\.leaf)
              allCasePaths.append(\.node)
              return allCasePaths.makeIterator()
            }
          }
          package nonisolated static var allCasePaths: AllCasePaths {
            AllCasePaths()
          }
        }
        extension Tree: nonisolated CasePaths.CasePathable, nonisolated CasePaths.CasePathIterable {
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func withoutCases() {
    let expansion = Expansion(
      #"""
      @CasePathable
      enum Action {}
      """#)
    #expect(
      expansion.source
        == #"""
        enum Action {
          nonisolated struct AllCasePaths: CasePaths.CasePathReflectable, Swift.Sendable, Swift.Sequence {
            subscript(root: Action) -> CasePaths.PartialCaseKeyPath<Action> {
            }
            func makeIterator() -> Swift.IndexingIterator<[CasePaths.PartialCaseKeyPath<Action>]> {
              let allCasePaths: [CasePaths.PartialCaseKeyPath<Action>] = []
              return allCasePaths.makeIterator()
            }
          }
          nonisolated static var allCasePaths: AllCasePaths {
            AllCasePaths()
          }
        }
        extension Action: nonisolated CasePaths.CasePathable, nonisolated CasePaths.CasePathIterable {
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func aConformanceByHandIsNotAdded() {
    let expansion = Expansion(
      #"""
      @CasePathable
      enum Action: CasePaths.CasePathable, CasePathIterable {
        case save
      }
      """#)
    #expect(
      expansion.source
        == #"""
        enum Action: CasePaths.CasePathable, CasePathIterable {
          case save
          nonisolated struct AllCasePaths: CasePaths.CasePathReflectable, Swift.Sendable, Swift.Sequence {
            subscript(root: Action) -> CasePaths.PartialCaseKeyPath<Action> {
              if case .save = root {
                return \.save
              }
              return \.never
            }
            var save: CasePaths.AnyCasePath<Action, Swift.Void> {
              CasePaths.AnyCasePath<Action, Swift.Void>(
                embed: {
                  .save
                },
                extract: {
                  if case .save = $0 {
                    ()
                  } else {
                    nil
                  }
                }
              )
            }
            func makeIterator() -> Swift.IndexingIterator<[CasePaths.PartialCaseKeyPath<Action>]> {
              var allCasePaths: [CasePaths.PartialCaseKeyPath<Action>] = []
              allCasePaths.append(\.save)
              return allCasePaths.makeIterator()
            }
          }
          nonisolated static var allCasePaths: AllCasePaths {
            AllCasePaths()
          }
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func casePathsByHandAreLeftAlone() {
    let expansion = Expansion(
      #"""
      @CasePathable
      enum Action {
        case save
        struct AllCasePaths {}
        static var allCasePaths: AllCasePaths { AllCasePaths() }
      }
      """#)
    #expect(
      expansion.source
        == #"""
        enum Action {
          case save
          struct AllCasePaths {}
          static var allCasePaths: AllCasePaths { AllCasePaths() }
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func theAccessOfAnExtension() {
    let expansion = Expansion(
      #"""
      public extension Feature {
        @CasePathable
        enum Action {
          case save
        }
      }
      """#)
    #expect(
      expansion.source
        == #"""
        public extension Feature {
          enum Action {
            case save
            public nonisolated struct AllCasePaths: CasePaths.CasePathReflectable, Swift.Sendable, Swift.Sequence {
              public subscript(root: Action) -> CasePaths.PartialCaseKeyPath<Action> {
                if case .save = root {
                  return \.save
                }
                return \.never
              }
              public var save: CasePaths.AnyCasePath<Action, Swift.Void> {
                CasePaths.AnyCasePath<Action, Swift.Void>(
                  embed: {
                    .save
                  },
                  extract: {
                    if case .save = $0 {
                      ()
                    } else {
                      nil
                    }
                  }
                )
              }
              public func makeIterator() -> Swift.IndexingIterator<[CasePaths.PartialCaseKeyPath<Action>]> {
                var allCasePaths: [CasePaths.PartialCaseKeyPath<Action>] = []
                allCasePaths.append(\.save)
                return allCasePaths.makeIterator()
              }
            }
            public nonisolated static var allCasePaths: AllCasePaths {
              AllCasePaths()
            }
          }
        }
        extension Feature.Action: nonisolated CasePaths.CasePathable, nonisolated CasePaths.CasePathIterable {
        }
        """#)
    #expect(expansion.messages == [])
  }
}
