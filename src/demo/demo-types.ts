/** The type that the demo adds. */
export const PERSON = {
  name: 'person',
  label: 'Person',
  label_plural: 'People',
  description: 'Who runs the observatory.',
  url_path: '/people/{slug}',
  fields: [
    { name: 'role', type: 'string', label: 'Role', required: true, max_length: 100 },
    { name: 'since', type: 'integer', label: 'With us since', min: 1900, max: 2100, indexed: true },
  ],
};

/** Fields that the demo adds to the type `post`. */
export const POST_FIELDS = [
  { name: 'excerpt', type: 'text', label: 'Excerpt', description: 'What lists show.' },
  { name: 'author', type: 'relation', label: 'Author', to: ['person'], indexed: true },
  { name: 'reading_minutes', type: 'integer', label: 'Minutes to read', min: 1, max: 120, indexed: true },
  {
    name: 'equipment',
    type: 'enum',
    label: 'What you need',
    values: ['none', 'naked eye', 'binoculars', 'telescope'],
    indexed: true,
  },
];

/** Categories that the demo adds; one that stands under another comes after it. */
export const CATEGORIES: readonly { readonly name: string; readonly slug: string; readonly under?: string }[] = [
  { name: 'News', slug: 'news' },
  { name: 'Observing', slug: 'observing' },
  { name: 'Sun and Moon', slug: 'sun-and-moon', under: 'observing' },
  { name: 'Planets', slug: 'planets', under: 'observing' },
  { name: 'Meteors', slug: 'meteors', under: 'observing' },
  { name: 'Deep sky', slug: 'deep-sky', under: 'observing' },
  { name: 'Science', slug: 'science' },
  { name: 'Workshop', slug: 'workshop' },
];
