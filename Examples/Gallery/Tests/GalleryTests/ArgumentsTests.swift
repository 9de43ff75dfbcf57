import ArgumentParser
import Foundation
import Testing

@testable import gallery

@Suite struct ArgumentsTests {
  @Test func `omitted options have their defaults`() throws {
    let command = try GalleryCommand.parse([])
    #expect(command.url == nil)
    #expect(command.output.lastPathComponent == "gallery-output")
    #expect(command.concurrency == 6)
    #expect(command.timeout == .seconds(10))
    #expect(command.serve == nil)
  }

  @Test func `options are read in their long and their short form`() throws {
    let long = try GalleryCommand.parse([
      "--url", "http://127.0.0.1:8080", "--output", "there", "--concurrency", "3", "--timeout", "2.5",
    ])
    let short = try GalleryCommand.parse(["-u", "http://127.0.0.1:8080", "-o", "there", "-c", "3", "-t", "2.5"])
    for command in [long, short] {
      #expect(command.url?.absoluteString == "http://127.0.0.1:8080")
      #expect(command.output.lastPathComponent == "there")
      #expect(command.concurrency == 3)
      #expect(command.timeout == .seconds(2.5))
    }
  }

  @Test(arguments: [
    (["--url", "ftp://host"], "'ftp://host' is invalid for '--url <address>': Expected an http or https address"),
    (["--url", "host"], "'host' is invalid for '--url <address>': Expected an http or https address"),
    (["--url", "http://"], "'http://' is invalid for '--url <address>': Expected an http or https address"),
    (["--output", ""], "'' is invalid for '--output <folder>': Expected the path of a folder"),
    (["--concurrency", "0"], "'0' is invalid for '--concurrency <number>': Expected a whole number from 1 to 64"),
    (["--concurrency", "six"], "'six' is invalid for '--concurrency <number>': Expected a whole number from 1 to 64"),
    (["--timeout=-1"], "'-1' is invalid for '--timeout <seconds>': Expected a number of seconds"),
    (["--timeout", "nan"], "'nan' is invalid for '--timeout <seconds>': Expected a number of seconds"),
    (
      ["--trace", "trace.txt"],
      "'trace.txt' is invalid for '--trace <file>': Expected a file whose name ends with .json or"
    ),
    (["--serve", "99999"], "'99999' is invalid for '--serve <port>': Expected a port from 0 to 65535"),
    (["--serve", "0", "--url", "http://host"], "cannot be combined with --url"),
    (["--serve", "0", "--trace", "trace.html"], "--trace cannot be combined"),
    (["--speed", "9"], "Unknown option '--speed'"),
    (["more"], "Unexpected argument 'more'"),
  ])
  func `an invalid option is an error with the expected value`(
    arguments: [String], message: String
  ) throws {
    let error = #expect(throws: (any Error).self) { try GalleryCommand.parse(arguments) }
    #expect(GalleryCommand.message(for: try #require(error)).contains(message))
    #expect(GalleryCommand.exitCode(for: try #require(error)).rawValue == 64)
  }
}
