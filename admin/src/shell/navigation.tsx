import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Icon } from '../common/icons.js';
import { USUAL } from '../list/list-search.js';
import type { ContentType } from '../model.js';
import { place } from '../place.js';
import { typesQuery, useMay } from '../queries.js';
import { titleOf } from '../taxonomy/taxonomy-title.js';
import { words } from '../words.js';
import classes from './shell.module.css';

/** The content types, each with the number of its records. */
export function Navigation() {
  const types = useQuery(typesQuery);
  return (
    <nav aria-label={words.nav.content} className={classes.nav}>
      <div className={classes.group}>{words.nav.content}</div>
      {types.isPending && [1, 2, 3].map((row) => <Skeleton key={row} height={36} mb={4} />)}
      {types.data?.map((type) => (
        <Link
          key={type.name}
          to="/content/$type"
          params={{ type: type.name }}
          search={USUAL}
          activeOptions={{ includeSearch: false }}
          className={classes.link}
        >
          <Icon name="list" />
          <span className={classes.label}>{type.label_plural}</span>
          <span className={classes.count}>{countOf(type)}</span>
        </Link>
      ))}
      <Taxonomies types={types.data ?? []} />
      <div className={classes.rest}>
        <a href={`${place.serviceUrl}api/docs`} className={classes.link}>
          <Icon name="book" />
          <span className={classes.label}>{words.nav.api}</span>
        </a>
      </div>
    </nav>
  );
}

/** The taxonomies of all types, for those who may change their terms. */
function Taxonomies({ types }: { readonly types: readonly ContentType[] }) {
  const mayWrite = useMay('')('taxonomy:write');
  const names = [...new Set(types.flatMap(({ taxonomies }) => taxonomies))];
  if (!mayWrite || names.length === 0) return null;
  return (
    <>
      <div className={`${classes.group} ${classes.further}`}>{words.taxonomy.group}</div>
      {names.map((name) => (
        <Link
          key={name}
          to="/taxonomy/$name"
          params={{ name }}
          activeOptions={{ includeSearch: false }}
          className={classes.link}
        >
          <Icon name="tag" />
          <span className={classes.label}>{titleOf(name)}</span>
        </Link>
      ))}
    </>
  );
}

const short = new Intl.NumberFormat('en', { notation: 'compact' });

function countOf({ counts }: ContentType): string {
  return counts ? short.format(Object.values(counts).reduce((sum, n) => sum + n, 0)) : '';
}
