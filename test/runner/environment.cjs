/**
 * A test environment that is the process itself, so that what one test file has loaded serves the next one too (`runtime.cjs`).
 * Jest's own one makes a world of its own for each file, in which all modules are loaded anew.
 */
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { AsyncLocalStorage } = require('node:async_hooks');
const { readFileSync } = require('node:fs');
const vm = require('node:vm');
// Each copy that is loaded is asked from then on whenever anything is looked up: one for the worker, and none for each file.
require('reflect-metadata');

/** Stands for the process where Jest asks for a context. */
const HERE = vm.createContext({});
const compileFunction = vm.compileFunction;
vm.compileFunction = (code, parameters, { parsingContext, ...options } = {}) =>
  compileFunction(code, parameters, parsingContext === HERE ? options : { ...options, parsingContext });

/** Where TypeORM collects what decorators say, for all copies of itself and of the entities. */
const COLLECTED = 'typeormMetadataArgsStorage';

/** Those that were used since a test file began. jest-circus makes one for each file, and each makes every promise slower from then on. */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...call) {
  storages.add(this);
  return run.apply(this, call);
};

/** Where jest-circus keeps what it does for each event of a test, and the tests of a file with all that they hold. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');
const isOfCircus = (key) => key === HANDLERS || (typeof key === 'symbol' && key.description === 'JEST_STATE_SYMBOL');

module.exports = class ProcessEnvironment {
  global = globalThis;
  fakeTimers = null;

  /** Whether a test file gets its own copies of all modules, since it replaces some. */
  static hasOwnCopies(testPath) {
    return readFileSync(testPath, 'utf8').includes('jest.mock(');
  }

  constructor({ projectConfig }, { testPath }) {
    // Copies of entities would be further tables to the files that come next.
    this.collected = ProcessEnvironment.hasOwnCopies(testPath) ? { shared: globalThis[COLLECTED] } : null;
    if (this.collected) globalThis[COLLECTED] = undefined;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.before = { env: { ...process.env }, exit: process.exit };
  }

  setup() {
    return Promise.resolve();
  }

  /** Takes back what a test file and its runner may have left behind: spies, a clock, contexts of promises, variables, the tests. */
  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    for (const storage of storages) storage.disable();
    storages.clear();
    for (const key of Reflect.ownKeys(globalThis).filter(isOfCircus)) Reflect.deleteProperty(globalThis, key);
    if (this.collected) globalThis[COLLECTED] = this.collected.shared;
    process.exit = this.before.exit;
    for (const name of Object.keys(process.env))
      if (!(name in this.before.env)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, this.before.env);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return HERE;
  }
};
