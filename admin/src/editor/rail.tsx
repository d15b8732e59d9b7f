import type { ReactNode } from 'react';
import { Moment } from '../common/moment.js';
import type { ContentRecord, Field } from '../model.js';
import { words } from '../words.js';
import { CountedWords } from './body/counted-words.js';
import classes from './editor.module.css';
import { builtInText, writeBuiltIn } from './fields/built-in.js';
import fieldClasses from './fields/fields.module.css';
import { Fields, faultsIn, Terms, type FormProps } from './fields/form.js';
import { sharesSlugs } from './fields/slug.js';
import { SlugInput } from './fields/slug-input.js';

const t = words.editor;
const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' });

/** Everything of a record beside its text. */
export function Rail({ fields, ...form }: FormProps & { readonly fields: readonly Field[] }) {
  const { type, editing, view, isReadOnly, faults, below } = form;
  return (
    <aside className={classes.rail}>
      <section className={classes.card} aria-label={t.details}>
        <div className={fieldClasses.field}>
          <SlugInput
            type={type}
            record={view.opened?.record ?? null}
            value={builtInText(editing, view, 'slug')}
            faults={faultsIn(faults, 'slug')}
            isReadOnly={isReadOnly}
            onChange={(text) => writeBuiltIn(editing, 'slug', text)}
          />
          {below('slug')}
        </div>
        <Terms {...form} />
        <Fields {...form} fields={fields} />
      </section>
      <About type={type} view={view} text={type.body === 'none' ? null : editing.textOf('body')} />
    </aside>
  );
}

function About({ type, view, text }: Pick<FormProps, 'type' | 'view'> & { readonly text: string | null }) {
  const record = view.opened?.record;
  const rows: [string, ReactNode][] = record
    ? [
        ...(record.published_at === null
          ? []
          : [[t.publishedAt, <Moment at={record.published_at} />] as [string, ReactNode]]),
        [t.updated, <Moment at={record.updated_at} />],
        [t.created, <Moment at={record.created_at} />],
        [t.version, record.version],
        ...(sharesSlugs(type) || record.locale !== 'en' ? [[t.locale, localeOf(record)] as [string, ReactNode]] : []),
      ]
    : [];
  return (
    <section className={classes.about} aria-label={t.about}>
      <dl>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {text !== null && (
        <p>
          <CountedWords text={text} />
        </p>
      )}
      <p>
        {t.keys.save} · {t.keys.publish}
      </p>
    </section>
  );
}

/** The language of a record by its name. */
function localeOf({ locale }: ContentRecord): string {
  return typeof locale === 'string' ? (LANGUAGES.of(locale) ?? locale) : '';
}
