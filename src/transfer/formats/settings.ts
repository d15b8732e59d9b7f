import { momentOf } from '../../common/text/moments.js';
import type { SourceValue, Remark, TermName } from './import-entry.js';

const PEOPLE = new Set(['author', 'authors']);
/** `A, B, and C` */
const LEADING_AND = /^\s*(?:and|und|&)\s+/i;

/** The settings of one file: each is taken out by the name that it goes by, and what is left has no meaning of its own. */
export class Settings {
  readonly problems: Remark[] = [];
  readonly notes: Remark[] = [];
  private readonly left: Map<string, SourceValue>;

  constructor(
    private readonly file: string,
    values: Readonly<Record<string, SourceValue>>,
  ) {
    this.left = new Map(Object.entries(values));
  }

  get rest(): Record<string, SourceValue> {
    return Object.fromEntries([...this.left].filter(([, { value }]) => value !== null && value !== ''));
  }

  put(name: string, given: SourceValue): void {
    this.left.set(name, given);
  }

  /** The first of these names that is set. The others stay. */
  take(...names: readonly string[]): (SourceValue & { name: string }) | null {
    for (const name of names) {
      const given = this.left.get(name);
      if (given === undefined) continue;
      this.left.delete(name);
      if (given.value !== null && given.value !== '') return { ...given, name };
    }
    return null;
  }

  text(...names: readonly string[]): (SourceValue & { value: string; name: string }) | null {
    const given = this.take(...names);
    if (given === null) return null;
    const value = wordOf(given.value);
    if (value === null) this.problem(given.line, `${given.name} must be a text.`);
    return value === null ? null : { ...given, value };
  }

  moment(...names: readonly string[]): number | null {
    const given = this.text(...names);
    if (given === null) return null;
    const at = momentOf(given.value);
    if (at === null) this.problem(given.line, `${given.name} is no moment such as 2024-02-29 or 2024-02-29T09:30:00Z.`);
    return at;
  }

  isTrue(name: string): boolean {
    const value = this.take(name)?.value;
    return value === true || value === 1 || (typeof value === 'string' && /^(?:true|yes|1|on)$/i.test(value));
  }

  isFalse(name: string): boolean {
    const value = this.take(name)?.value;
    return value === false || value === 0 || (typeof value === 'string' && /^(?:false|no|0|off)$/i.test(value));
  }

  /**
   * One name, several with commas between them, a list of names, or a list of maps that have a `name`.
   * References to records are none, and stay.
   */
  names(...names: readonly string[]): TermName[] {
    return names.flatMap((name) => {
      const given = this.take(name);
      if (given === null) return [];
      if ([given.value].flat().every(isReference)) {
        this.put(name, given);
        return [];
      }
      const items = typeof given.value === 'string' ? this.listed(given.value, name, given.line) : [given.value].flat();
      return items.flatMap((item) => this.name(item, name, given.line));
    });
  }

  problem(line: number, message: string): void {
    this.problems.push({ file: this.file, line, message });
  }

  note(line: number, message: string): void {
    this.notes.push({ file: this.file, line, message });
  }

  /** Tags stand between commas as a rule; a name may have one of its own (`Müller, Anna`), which the report says. */
  private listed(text: string, of: string, line: number): string[] {
    const parts = text
      .split(',')
      .map((part, at) => (at > 0 && PEOPLE.has(of) ? part.replace(LEADING_AND, '') : part).trim())
      .filter((part) => part !== '');
    if (PEOPLE.has(of) && parts.length > 1) {
      this.note(
        line,
        `"${text}" becomes ${parts.length} authors: ${parts.join('; ')}. A list keeps a name with a comma together.`,
      );
    }
    return parts;
  }

  private name(item: unknown, of: string, line: number): TermName[] {
    const isMap = typeof item === 'object' && item !== null;
    const name = wordOf(isMap ? (item as { name?: unknown }).name : item);
    if (name === null && item !== null) this.problem(line, `${of} must be a list of names.`);
    return name === null || name === '' ? [] : [{ name, slug: null }];
  }
}

/** Tells whether this is how an export writes a relation. */
function isReference(value: unknown): boolean {
  const { id, type } = (value ?? {}) as { id?: unknown; type?: unknown };
  return typeof id === 'number' && typeof type === 'string';
}

/** A scalar as a text; YAML makes a number of `2014`. */
function wordOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
