import type { IconName } from '../common/icons.js';
import { may, type ContentType, type Me } from '../model.js';
import { titleOf } from '../taxonomy/taxonomy-title.js';
import { words } from '../words.js';

const t = words.search;

/** The address that a command leads to, or the record that it makes. */
export type Target =
  | { readonly to: 'list' | 'trash' | 'new'; readonly type: string }
  | { readonly to: 'taxonomy'; readonly name: string }
  | { readonly to: 'search' }
  | { readonly to: 'keys' }
  | { readonly to: 'api' };

/** A command that is there on every page. */
export interface Command {
  readonly group: string;
  readonly label: string;
  readonly icon: IconName;
  readonly target: Target;
}

/** Every command that a person may give. */
export function commandsOf(types: readonly ContentType[], me: Pick<Me, 'scopes'>): readonly Command[] {
  const { go, create } = t.groups;
  const trashed = types.filter(({ name }) => may(me, 'records:delete', name) && may(me, 'drafts:read', name));
  const taxonomies = may(me, 'taxonomy:write', '') ? new Set(types.flatMap((type) => type.taxonomies)) : [];
  return [
    ...types.map(({ name, label_plural: label }): Command => ({
      group: go,
      label,
      icon: 'list',
      target: { to: 'list', type: name },
    })),
    { group: go, label: t.search, icon: 'search', target: { to: 'search' } },
    ...[...taxonomies].map((name): Command => ({
      group: go,
      label: titleOf(name),
      icon: 'tag',
      target: { to: 'taxonomy', name },
    })),
    ...trashed.map(({ name, label_plural: label }): Command => ({
      group: go,
      label: t.trashOf(label),
      icon: 'trash',
      target: { to: 'trash', type: name },
    })),
    { group: go, label: words.keys.title, icon: 'keyboard', target: { to: 'keys' } },
    { group: go, label: words.nav.api, icon: 'book', target: { to: 'api' } },
    ...types
      .filter(({ name }) => may(me, 'records:create', name))
      .map(({ name, label }): Command => ({
        group: create,
        label: words.list.create(label),
        icon: 'plus',
        target: { to: 'new', type: name },
      })),
  ];
}

/** Tells whether each word of what is typed begins a word of a label. */
export function isMeant(label: string, typed: string): boolean {
  const begun = wordsOf(label);
  return wordsOf(typed).every((word) => begun.some((one) => one.startsWith(word)));
}

/** Words without case and accents. */
function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
