import { useLoaded } from '../../common/use-loaded.js';
import { words } from '../../words.js';
import { ShownValue } from '../fields/shown-value.js';
import classes from './merging.module.css';

/** Loads the comparison of texts when there are two. */
const load = () => import('./word-diff.js');

interface ValueDiffProps {
  readonly before: { readonly label: string; readonly value: unknown };
  readonly after: { readonly label: string; readonly value: unknown };
}

/** Two values of a field: texts by their difference, any others below each other. */
export function ValueDiff({ before, after }: ValueDiffProps) {
  const { code } = useLoaded(load);
  if (code && typeof before.value === 'string' && typeof after.value === 'string') {
    return <code.WordDiff before={before.value} after={after.value} />;
  }
  return (
    <dl className={classes.values}>
      {[before, after].map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{valueOf(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function valueOf(value: unknown) {
  const isNothing =
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  if (isNothing) return words.editor.nothing;
  if (typeof value === 'boolean') return value ? words.editor.yes : words.editor.no;
  return typeof value === 'number' || typeof value === 'string' ? value : <ShownValue value={value} />;
}
