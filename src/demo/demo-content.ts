import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A record of the demo as its file has it: with the fields of its type, but for the author, who is a slug. */
export interface DemoRecord {
  readonly title: string;
  readonly slug: string;
  readonly body: string;
  readonly status: string;
  readonly published_at?: string;
  /** Slugs or names, by taxonomy. */
  readonly terms?: Readonly<Record<string, readonly string[]>>;
  /** Slug of a person. */
  readonly author?: string;
}

const FOLDER = join(import.meta.dirname, 'content');
/** A head of JSON, which is YAML too, so that every reader of Markdown shows it as a table. */
const FILE = /^---\n(?<head>.*?)\n---\n(?<body>.*)$/s;

/** The records in a folder of the content, in the order of their file names. */
export function demoRecords(folder: 'people' | 'pages' | 'posts'): DemoRecord[] {
  return readdirSync(join(FOLDER, folder))
    .sort()
    .map((file) => demoRecord(join(FOLDER, folder, file)));
}

function demoRecord(file: string): DemoRecord {
  const { head = '', body = '' } = FILE.exec(readFileSync(file, 'utf8'))?.groups ?? {};
  const fields = JSON.parse(head) as Omit<DemoRecord, 'slug' | 'body'>;
  // The number in front of a name is its place in the order.
  return { slug: basename(file, '.md').replace(/^\d+-/, ''), ...fields, body: body.trim() };
}
