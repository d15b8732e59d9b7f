import { timeText } from '../../common/text/time-text.js';
import type { Status, TypeDefinition, TypeOptions } from './content-type.js';
import type { Field } from '../kinds/field.js';

/** A field as the API shows it. */
type FieldView = Omit<Field, 'key' | 'isRekeyed' | 'retired'>;

/** Records by status, as far as the caller may see them. */
export type Counts = Readonly<Partial<Record<Status, number>>>;

/** A content type as the API shows it. */
export interface TypeView extends TypeOptions {
  readonly name: string;
  readonly fields: readonly FieldView[];
  readonly counts?: Counts;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export function typeView(type: TypeDefinition, counts?: Counts): TypeView {
  return {
    name: type.name,
    label: type.label,
    label_plural: type.label_plural,
    description: type.description,
    taxonomies: type.taxonomies,
    url_path: type.url_path,
    sitemap: type.sitemap,
    body: type.body,
    revisions: type.revisions,
    fields: type.fields.map(({ key: _key, isRekeyed: _isRekeyed, retired: _retired, ...field }) => field),
    ...(counts ? { counts } : {}),
    version: type.version,
    created_at: timeText(type.created_at),
    updated_at: timeText(type.updated_at),
  };
}

/** Validator of a type, which changes with its version. */
export function versionTag({ version }: { readonly version: number }): string {
  return `"${version}"`;
}
