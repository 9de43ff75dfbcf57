import DemoServer
import Dispatch
import Foundation
import GalleryPage
import Overmorrow

extension GalleryCommand {
  /// Serves the page until a signal arrives, then stops the runs and exits.
  func servePage(on port: UInt16) {
    let (interruption, resolver) = Promise<Void, Never>.makeWithResolver()
    let interrupt = Interrupt { resolver.fulfill(with: ()) }

    DemoServer.start()
      .flatMap(on: .main) { demo in
        PageServer.start(port: port, settings: settings(for: demo.address))
          .flatMap(on: .main) { page in
            Terminal.write("\(page.address.absoluteString) shows the gallery. Press Ctrl-C to stop.\n")
            // The closures retain both servers until then.
            return interruption.flatMap(on: .main) { _ in page.stop() }.always(on: .main) { _ in demo.stop() }.upcast
          }
      }
      .always(on: .main) { result in
        if let error = result.error { Terminal.writeError("Error: cannot listen on port \(port): \(error)\n") }
        Foundation.exit(interrupt.signal.map { 128 + $0 } ?? 1)
      }

    dispatchMain()
  }
}
