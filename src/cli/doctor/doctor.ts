import type { Command } from '../command.js';
import { Examination, type Finding } from './examination.js';

export const doctor: Command = {
  name: 'doctor',
  summary:
    'Check Node, the settings, the database and what it holds. Changes nothing without --repair; ends with 1 if something is wrong, with 3 if all of it was repaired.',
  options: {
    repair: {
      help: 'Repair what is derived from content: counts, side rows, the search index. Content stays as it is; the service may run.',
    },
    deep: { help: 'Read all of the content as well, which takes a while.' },
  },
  async run({ switches }, invocation) {
    const service = switches.has('repair') ? invocation : null;
    const findings = await new Examination(switches.has('deep'), service).run(invocation.settings);
    return {
      json: findings,
      text: findings.map(lineOf).join('\n'),
      isFailed: findings.some(({ ok }) => !ok),
      isPartial: findings.some(({ repaired }) => repaired === true),
    };
  },
};

function lineOf({ check, ok, repaired, message }: Finding): string {
  const mark = repaired === true ? 'done' : ok ? 'ok  ' : 'fail';
  return `${mark}  ${check.padEnd(10)}  ${message}`;
}
