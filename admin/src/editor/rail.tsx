import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Moment } from '../common/moment.js';
import type { ContentType } from '../model.js';
import { words } from '../words.js';
import { CountedWords } from './body/counted-words.js';
import type { Editing, EditingView } from './saving/editing.js';
import classes from './editor.module.css';
import { FieldInput } from './fields/field-input.js';

const t = words.editor;

interface RailProps {
  readonly type: ContentType;
  readonly editing: Editing;
  readonly view: EditingView;
  readonly isReadOnly: boolean;
  /** What else is said below a field. */
  readonly below: (field: string) => ReactNode;
}

/** Everything of a record beside its text. */
export function Rail({ type, editing, view, isReadOnly, below }: RailProps) {
  const faults = editing.faults();
  const faultOf = (name: string) => faults.find(({ field }) => field.split('.')[0] === name)?.message;
  return (
    <aside className={classes.rail}>
      <section className={classes.card} aria-label={t.details}>
        <TextInput
          label={t.slug}
          leftSection="/"
          description={view.opened === null ? t.slugHint : undefined}
          error={faultOf('slug')}
          readOnly={isReadOnly}
          value={editing.textOf('slug')}
          onChange={({ currentTarget }) => editing.change('slug', currentTarget.value)}
        />
        {below('slug')}
        {type.fields.map((field) => (
          <div key={field.name}>
            <FieldInput
              key={view.replaced[field.name]}
              field={field}
              value={editing.valueOf(field.name)}
              fault={faultOf(field.name)}
              isReadOnly={isReadOnly}
              onChange={(value) => editing.change(field.name, value)}
            />
            {below(field.name)}
          </div>
        ))}
        <Terms view={view} />
      </section>
      <About view={view} text={type.body === 'none' ? null : editing.textOf('body')} />
    </aside>
  );
}

function Terms({ view }: Pick<RailProps, 'view'>) {
  const taxonomies = Object.entries(view.opened?.current.terms ?? {}).filter(([, terms]) => terms.length > 0);
  return taxonomies.map(([taxonomy, terms]) => (
    <div key={taxonomy}>
      <div className={classes.label}>{taxonomy.charAt(0).toUpperCase() + taxonomy.slice(1)}</div>
      <div className={classes.chips} title={t.later}>
        {terms.map(({ id, name }) => (
          <span key={id} className={classes.chip}>
            {name}
          </span>
        ))}
      </div>
    </div>
  ));
}

function About({ view, text }: Pick<RailProps, 'view'> & { readonly text: string | null }) {
  const record = view.opened?.record;
  const rows: [string, ReactNode][] = record
    ? [
        ...(record.published_at === null
          ? []
          : [[t.publishedAt, <Moment at={record.published_at} />] as [string, ReactNode]]),
        [t.updated, <Moment at={record.updated_at} />],
        [t.created, <Moment at={record.created_at} />],
        [t.version, record.version],
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
