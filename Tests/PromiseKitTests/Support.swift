import PromiseKit
