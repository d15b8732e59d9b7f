/**
 * Jest's runtime, but only the test file itself is loaded for that file. What it imports (the service, its libraries, the helpers of the
 * tests) is loaded by Node, once for a worker: loading took as long as testing. Modules of the service keep no state, so no file notices
 * which one ran before. A file that calls `jest.mock` gets its own copies, as usual.
 */
const { default: Runtime } = require('jest-runtime');
const { createRequire } = require('node:module');
const ProcessEnvironment = require('./environment.cjs');
const { showSourceMaps } = require('./typescript.cjs');

module.exports = class SharedRuntime extends Runtime {
  #testPath;
  #require;

  constructor(...args) {
    super(...args);
    this.#testPath = args[6];
    if (!ProcessEnvironment.hasOwnCopies(this.#testPath)) this.#require = createRequire(this.#testPath);
  }

  requireModuleOrMock(from, name) {
    if (from !== this.#testPath || this.#require === undefined) return super.requireModuleOrMock(from, name);
    globalThis.jest = this.jestGlobals?.jestObjectFor(from);
    return this.#require(name);
  }

  /** What the runner of a file uses, such as `expect`, is loaded once, too; the runner itself keeps the tests of its file. */
  requireInternalModule(from, name) {
    return name === undefined ? super.requireInternalModule(from) : createRequire(from)(name);
  }

  getSourceMaps() {
    return showSourceMaps(super.getSourceMaps());
  }
};
