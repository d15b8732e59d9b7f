import { open, stat } from 'node:fs/promises';
import { extname } from 'node:path';

export const FORMATS = ['markdown', 'wxr', 'csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

const BY_ENDING: Readonly<Partial<Record<string, Format>>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdown': 'markdown',
  '.mkd': 'markdown',
  '.xml': 'wxr',
  '.wxr': 'wxr',
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};
const HEAD_BYTES = 200;

/** What a path seems to hold; `null`: neither its ending nor its first line says anything. */
export async function guessFormat(path: string): Promise<Format | null> {
  if ((await stat(path)).isDirectory()) return 'markdown';
  return BY_ENDING[extname(path).toLowerCase()] ?? ((await hasHeader(path)) ? 'ndjson' : null);
}

async function hasHeader(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return /^\s*\{\s*"kind"\s*:\s*"header"/.test(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}
