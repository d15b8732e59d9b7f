import type { Command } from '../command.js';
import { Examination } from './examination.js';

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check Node, the settings, the database and what it holds, and change nothing.',
  options: { deep: { help: 'Read all of the content as well, which takes a while.' } },
  async run({ switches }, invocation) {
    const findings = await new Examination(switches.has('deep')).run(invocation.settings);
    const lines = findings.map(({ check, ok, message }) => `${ok ? 'ok  ' : 'fail'}  ${check.padEnd(10)}  ${message}`);
    return { json: findings, text: lines.join('\n'), isFailed: findings.some(({ ok }) => !ok) };
  },
};
