import Hummingbird
import HummingbirdTesting
import Overmorrow
import OvermorrowTesting
import Testing

@testable import Server

@Suite struct ForecastTests {
  @Test func nothing() {}
}
