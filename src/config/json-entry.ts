import { ROLES, type Role } from '../common/access/role-names.js';
import type { SettingReader } from './values/setting-reader.js';

export interface DirectoryRoles {
  /** Name of the claim with the groups, or a dotted path to it. */
  readonly claim: string;
  readonly ofGroup: ReadonlyMap<string, Role>;
  /** For members of none of these groups; `null`: they are kept out. */
  readonly otherwise: Role | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** A list of objects; `null`: it is none, or empty. */
export function objectsIn(text: string): readonly Fields[] | null {
  try {
    const value: unknown = JSON.parse(text);
    const isList = Array.isArray(value) && value.length > 0;
    return isList && value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
      ? (value as Fields[]) // checked just now
      : null;
  } catch {
    return null;
  }
}

/** An object; `null`: it is anything else. */
export function objectIn(text: string): Fields | null {
  const [fields, ...others] = objectsIn(`[${text}]`) ?? [];
  return others.length === 0 ? (fields ?? null) : null;
}

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isRole = (value: unknown): value is Role => (ROLES as readonly unknown[]).includes(value);
const areGroups = (
  value: unknown,
): value is { readonly claim?: string; readonly map?: Readonly<Record<string, Role>> } => {
  const { claim = '', map = {} } = value as { claim?: unknown; map?: unknown };
  return typeof claim === 'string' && typeof map === 'object' && map !== null && Object.values(map).every(isRole);
};

export class JsonEntry {
  private readonly known = new Set<string>();
  private readonly faulty = new Set<string>();

  /** @param place names it in faults: `TRUSTED_ISSUERS, entry 1` */
  constructor(
    private readonly fields: Fields,
    private readonly place: string,
    private readonly reader: SettingReader,
  ) {}

  roles(): DirectoryRoles {
    const takes = `{"claim":"groups","map":{"<group>":"${ROLES.join('|')}"}}`;
    const { claim = 'groups', map = {} } = this.field('groups', areGroups, takes) ?? {};
    const otherwise = this.field('default_role', isRole, `null or one of ${ROLES.join(', ')}`) ?? null;
    return { claim, ofGroup: new Map(Object.entries(map)), otherwise };
  }

  isFlagged(name: string): boolean {
    return this.field(name, isFlag, 'true or false') ?? false;
  }

  needed<Value>(name: string, isFit: (value: unknown) => value is Value, takes: string): Value | undefined {
    const value = this.field(name, isFit, takes);
    if (this.isUnset(name)) this.fault(name, takes);
    return value;
  }

  /** A field that may be missing or `null`. @param takes what it must be, for people */
  field<Value>(name: string, isFit: (value: unknown) => value is Value, takes: string): Value | undefined {
    this.known.add(name);
    if (this.isUnset(name)) return undefined;
    const value = this.fields[name];
    if (isFit(value)) return value;
    this.fault(name, takes);
    return undefined;
  }

  isUnset(name: string): boolean {
    return (this.fields[name] ?? null) === null;
  }

  /** Notes one fault of a field; others of the same field follow from it. */
  fault(name: string, takes: string): void {
    if (!this.faulty.has(name)) this.reader.fault(`${this.place}: ${name} must be ${takes}.`);
    this.faulty.add(name);
  }

  /** The values that were read, once all fields that there are were asked for. */
  finished<Rules>(rules: Rules): Rules {
    const unknown = Object.keys(this.fields).filter((name) => !this.known.has(name));
    if (unknown.length > 0) {
      this.reader.fault(`${this.place} has ${unknown.join(', ')}; it takes ${[...this.known].join(', ')}.`);
    }
    return rules;
  }
}
