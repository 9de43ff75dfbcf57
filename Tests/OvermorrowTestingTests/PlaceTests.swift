import Overmorrow
import OvermorrowTesting
import Testing

@Suite struct ProbeTests {
  @Test func expectations() async {
    await withKnownIssue {
      expectPending(Promise<Int, Never>(fulfilled: 1))
    } matching: { issue in print(issue, issue.sourceLocation as Any); return true }
  }
  @Test func leak() async {
    let kept = Kept()
    await withKnownIssue {
      await withPromiseChecks(patience: .milliseconds(20)) {
        let (p, r) = Promise<Int, Never>.makeWithResolver()
        p.then(on: .immediate) { _ in _ = r }
        kept.r = r
        _ = Promise<Int, String>(rejected: "no").then(on: .immediate) { _ in }
      }
    } matching: { issue in print(issue, issue.sourceLocation as Any); return true }
  }
}
final class Kept: @unchecked Sendable { var r: Promise<Int, Never>.Resolver? }
