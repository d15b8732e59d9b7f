/**
 * Jest's order of files, but those that start processes of their own come first: they take longest, and the last file
 * of a run keeps one core busy while the others wait.
 */
const { default: Sequencer } = require('@jest/test-sequencer');
const { readFileSync } = require('node:fs');

const STARTS_PROCESSES = /\b(?:Child|FreshDemo|execFile|spawn|OwnServer)\b/;

module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isSlow = ({ path }) => STARTS_PROCESSES.test(readFileSync(path, 'utf8'));
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
  }
};
