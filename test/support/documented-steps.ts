import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(__dirname, '../..');

/** A fenced block of a Markdown file. */
export interface Block {
  /** What stands behind the fence: `sh`, `json`; empty where nothing does. */
  readonly language: string;
  readonly text: string;
  /** Line of the fence, from 1 on. */
  readonly line: number;
}

/** Commands of a Markdown file, and what the file says they print. */
export interface Step {
  readonly commands: Block;
  /** `null`: they print nothing. */
  readonly answer: Block | null;
}

const COMMANDS = 'sh';
/** A program that a reader saves under the name in its first line. */
const PROGRAM = /^\/\/ ([\w-]+\.mjs)\n/;
const END = '=== the end of a program ===';
const ANSWERS: readonly string[] = ['json', 'http', 'text', 'xml'];

/** All fenced blocks of a file of the project, in their order. */
export function blocksOf(file: string): Block[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ 1: language = '', 2: code = '', index }) => ({
    language,
    text: code,
    line: text.slice(0, index).split('\n').length,
  }));
}

/** The `sh` blocks of a file, each with the answer that stands right behind it, and its programs, which are saved. */
export function stepsOf(file: string): Step[] {
  const blocks = blocksOf(file);
  return blocks.flatMap((block, index) => {
    const name = PROGRAM.exec(block.text)?.[1];
    if (name !== undefined) return [{ commands: { ...block, text: saving(name, block.text) }, answer: null }];
    if (block.language !== COMMANDS) return [];
    const next = blocks[index + 1];
    return [{ commands: block, answer: next && ANSWERS.includes(next.language) ? next : null }];
  });
}

function saving(name: string, program: string): string {
  return `cat >${name} <<'${END}'\n${program}${END}\n`;
}
