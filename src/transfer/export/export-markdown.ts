import { stringify as yaml } from 'yaml';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import type { RecordView } from '../../records/rows/record-views.js';
import { termsOf } from './export-text.js';

/** A record as a Markdown file with front matter, as the import reads it. */
export function markdownOf(view: RecordView, { fields }: CompiledType): string {
  const { title, slug, status, locale, published_at: published, created_at: created, body } = view;
  const own = fields.map(({ name }) => [name, view[name]] as const).filter(([, value]) => value !== null);
  const terms = Object.entries(termsOf(view)).filter(([, names]) => names.length > 0);
  const dates =
    published === null || published === created ? { date: created } : { date: published, created_at: created };
  const settings = { title, slug, ...dates, status, locale, ...Object.fromEntries([...own, ...terms]) };
  return `---\n${yaml(settings)}---\n\n${typeof body === 'string' ? body : ''}\n`;
}
