import Overmorrow
import OvermorrowTesting
import Testing

@testable import Recipes

@Suite(.checkedPromises) struct ThermometerTests {
  @Test("the C function's callback resolves the promise")
  func reading() async {
    #expect(await expectFulfilled(readTemperature(of: 1), within: .seconds(60)) == 21)
    #expect(await expectRejected(readTemperature(of: -1), within: .seconds(60))?.code != 0)
  }
}
