import type { ContentType, Fault } from '../../model.js';
import { words } from '../../words.js';
import { partOf } from '../saving/parts.js';

/** Id of the input of a field, or of an item of it: `tags.2`. */
export function inputId(field: string): string {
  return `field-${field}`;
}

/** The name of a part of a record for people. */
export function labelOf({ fields }: Pick<ContentType, 'fields'>, part: string): string {
  const { title, body, slug } = words.editor;
  const builtIn: Readonly<Record<string, string>> = { title, body, slug };
  const own = fields.find(({ name }) => name === part)?.label;
  return own ?? builtIn[part] ?? capital(part.replace(/^terms\./, ''));
}

/** Says what is wrong with people's name for the field instead of that of the API. */
export function faultText({ field, message }: Fault, label: string): string {
  if (!message.startsWith(`${field} `)) return message;
  const at = itemOf(field);
  const subject = at === null ? label : words.editor.fields.item(label, at + 1);
  return subject + message.slice(field.length);
}

/** The number of an item that a fault is about, from 0 on; `null`: it is about the whole. */
export function itemOf(field: string): number | null {
  const [item] = field.slice(partOf(field).length + 1).split('.');
  return item !== undefined && /^\d+$/.test(item) ? Number(item) : null;
}

/** The fault of the whole value; `undefined`: none. */
export function faultOf(label: string, faults: readonly Fault[]): string | undefined {
  return allFaultsOf(
    label,
    faults.filter(({ field }) => itemOf(field) === null),
  );
}

/** The faults of the value and of its items; `undefined`: none. */
export function allFaultsOf(label: string, faults: readonly Fault[]): string | undefined {
  return faults.length === 0 ? undefined : faults.map((fault) => faultText(fault, label)).join(' ');
}

/** Faults in the order of the form. */
export function inOrder(type: ContentType, faults: readonly Fault[]): Fault[] {
  const order = ['title', 'slug', ...type.taxonomies.map((name) => `terms.${name}`), 'body'];
  const places = [...order, ...type.fields.map(({ name }) => name)];
  const placeOf = ({ field }: Fault) => places.indexOf(partOf(field));
  return [...faults].sort((a, b) => placeOf(a) - placeOf(b));
}

const FOCUSABLE = 'input, textarea, select, button, [contenteditable="true"], [tabindex="0"]';

/** Puts the focus into the input that a fault is about. */
export function focusField(field: string): void {
  const [found] = [field, partOf(field)].flatMap((id) => document.getElementById(inputId(id)) ?? []);
  const input = found?.matches(FOCUSABLE) === true ? found : found?.querySelector<HTMLElement>(FOCUSABLE);
  input?.scrollIntoView({ block: 'center' });
  input?.focus({ preventScroll: true });
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
