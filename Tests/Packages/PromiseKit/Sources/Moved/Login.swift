import Overmorrow

struct Session {
  let user: String
  let token: String
}

enum LoginError: Error { case wrongPassword, expired }

func authenticate(_ user: String, password: String) -> Promise<Session, any Error> {
  Promise(on: .default) { resolver in
    guard password == "secret" else { throw LoginError.wrongPassword }
    resolver.fulfill(with: Session(user: user, token: "t1"))
  }
}

func avatar(of session: Session) -> Promise<String, any Error> {
  if session.token == "t1" { return Promise(rejected: LoginError.expired) }
  return Promise(fulfilled: "\(session.user).png", after: .milliseconds(1))
}

func friends(of session: Session) -> Promise<[String], any Error> { Promise(fulfilled: ["Ann", "Bob"]) }

func login(_ user: String, password: String) -> Promise<String, any Error> {
  authenticate(user, password: password)
    .flatMap(on: .default) { session in
      let image = avatar(of: session).flatMapError(on: .default) { error -> Promise<String, any Error> in
        guard case LoginError.expired = error else { return Promise(rejected: error) }
        return avatar(of: Session(user: session.user, token: "t2"))
      }
      return when(fulfilled: image, friends(of: session))
    }
    .map(on: .default) { avatar, friends in "\(avatar) with \(friends.joined(separator: " and "))" }
    .recover(on: .default) { error in
      guard let error = error as? LoginError, case .wrongPassword = error else { throw error }
      return "no avatar"
    }
}
