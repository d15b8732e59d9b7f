/** The parameters of a request; absent and empty values are left out, the items of a list are separated by commas. */
export type Query = Readonly<Record<string, unknown>>;

/** The query of a request, as the service reads it: `{ filter: { title: { contains: 'a' } } }` -> `?filter[title][contains]=a`. */
export function queryString(query: Query): string {
  const text = Object.entries(query)
    .flatMap(([name, value]) => pairsOf(name, value))
    .join('&');
  return text && `?${text}`;
}

function pairsOf(name: string, value: unknown): string[] {
  if (value === undefined || value === '') return [];
  if (isNested(value)) return Object.entries(value).flatMap(([key, inner]) => pairsOf(`${name}[${key}]`, inner));
  return [
    `${encodeURIComponent(name)}=${encodeURIComponent(Array.isArray(value) ? value.map(textOf).join() : textOf(value))}`,
  ];
}

/** Lists are separated by commas. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
