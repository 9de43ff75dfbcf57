import Foundation
import PromiseKit

struct Session {
  let user: String
  let token: String
}

enum LoginError: Error { case wrongPassword, expired }

func authenticate(_ user: String, password: String) -> Promise<Session> {
  return DispatchQueue.global().async(.promise) {
    guard password == "secret" else { throw LoginError.wrongPassword }
    return Session(user: user, token: "t1")
  }
}

func avatar(of session: Session) -> Promise<String> {
  if session.token == "t1" { return Promise(error: LoginError.expired) }
  return after(.milliseconds(1)).map { "\(session.user).png" }.then { Promise.value($0) }
}

func friends(of session: Session) -> Guarantee<[String]> { return Guarantee.value(["Ann", "Bob"]) }

func login(_ user: String, password: String) -> Promise<String> {
  return firstly {
    authenticate(user, password: password)
  }.then { session in
    when(
      fulfilled: avatar(of: session).recover { error -> Promise<String> in
        guard case LoginError.expired = error else { throw error }
        return avatar(of: Session(user: session.user, token: "t2"))
      }, friends(of: session))
  }.map { avatar, friends in
    "\(avatar) with \(friends.joined(separator: " and "))"
  }.recover { error -> Promise<String> in
    guard let error = error as? LoginError, case .wrongPassword = error else { throw error }
    return .value("no avatar")
  }
}
