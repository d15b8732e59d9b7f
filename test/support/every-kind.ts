import type { TestApp } from './test-app.js';

/** A type with a field of each kind, and with rules of all sorts. */
const FIELDS = [
  { name: 'tagline', type: 'string', label: 'Tagline', max_length: 60, description: 'One sentence for lists.' },
  { name: 'summary', type: 'text', label: 'Summary', max_length: 300 },
  { name: 'notes', type: 'markdown', label: 'Notes' },
  { name: 'embed', type: 'html', label: 'Embed' },
  { name: 'seats', type: 'integer', label: 'Seats', min: 1, max: 500 },
  { name: 'price', type: 'number', label: 'Price', min: 0 },
  { name: 'is_free', type: 'boolean', label: 'Free of charge' },
  { name: 'opens_on', type: 'date', label: 'Opens on', min: '2026-01-01' },
  { name: 'starts_at', type: 'datetime', label: 'Starts at', required: true },
  { name: 'contact', type: 'email', label: 'Contact' },
  { name: 'website', type: 'url', label: 'Website' },
  { name: 'level', type: 'enum', label: 'Level', values: ['beginner', 'advanced'] },
  { name: 'settings', type: 'json', label: 'Settings' },
  { name: 'topics', type: 'list', of: 'string', label: 'Topics', max_length: 5 },
  { name: 'sizes', type: 'list', of: 'integer', label: 'Sizes' },
  { name: 'venue', type: 'relation', to: ['place'], label: 'Venue' },
  { name: 'hosts', type: 'relation', to: ['place', 'post'], many: true, label: 'Hosts' },
];

/** Declares the types `event`, which has every kind of field, and `place`, which it points to. */
export async function declareEveryKind(service: TestApp): Promise<void> {
  const declare = (type: object) => service.http().post('/api/admin/types').send(type).expect(201);
  await declare({ name: 'place', label: 'Place', label_plural: 'Places' });
  const taxonomies = ['category', 'tag'];
  await declare({ name: 'event', label: 'Event', label_plural: 'Events', taxonomies, fields: FIELDS });
}
