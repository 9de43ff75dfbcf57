import Dispatch
import Foundation
import PromiseKit

PromiseKit.conf.logHandler = { event in print("log: \(event)") }

let model = WeatherViewModel()
firstly {
  model.load("Oslo")
}.then {
  model.load("")
}.then {
  login("eve", password: "secret")
}.done {
  print($0)
}.then {
  login("eve", password: "guess")
}.done {
  print($0)
}.then {
  reading(at: thermometer)
}.done {
  print("thermometer: \($0.degrees)°")
}.then {
  thumbnails()
}.done {
  print($0)
}.then {
  within(0.001, Promise<Int>.pending().promise)
}.catch { error in
  print(error)
}.finally {
  exit(0)
}

dispatchMain()
