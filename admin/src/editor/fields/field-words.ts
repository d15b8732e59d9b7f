import { counted } from '../../common/counted.js';

/** Texts of the inputs of fields. */
export const fieldWords = {
  tooLong: (surplus: number, most: number) =>
    `${counted(surplus, 'character', 'characters')} too many: at most ${most.toLocaleString('en')} are kept. Not saved.`,
  controls: 'The text has a character that cannot be seen or stored. Type it again.',
  mustBeNumber: 'This must be a number.',
  mustBeWhole: 'This must be a whole number, written in digits.',
  ambiguous: (whole: string, fraction: string) => `This can be ${whole} or ${fraction}. Write it without a comma.`,
  tooManyDigits: 'This number has more digits than can be kept exactly.',
  tooLarge: 'This number is too large.',
  notComplete: 'This is not complete.',
  outOfYears: 'In UTC this is not within the years 0000 to 9999.',
  skippedTime: 'There is no such time in your time zone: the clock goes forward over it. Choose another one.',
  items: (least?: number, most?: number) => limits(least, most, 'item', 'items'),
  characters: (least?: number, most?: number) => limits(least, most, 'character', 'characters'),
  count: (n: number, most: number) => `${n.toLocaleString('en')} / ${most.toLocaleString('en')}`,
  range: (min: string | null, max: string | null) =>
    min !== null && max !== null ? `From ${min} to ${max}` : min !== null ? `${min} or more` : `At most ${max ?? ''}`,
  time: (min: string | null, max: string | null) =>
    min !== null && max !== null ? `From ${min} to ${max}` : min !== null ? `${min} or later` : `Until ${max ?? ''}`,
  unique: 'No other record may have the same',
  pattern: 'Must match ',
  url: 'Begins with https://, http:// or mailto:',
  item: (label: string, n: number) => `${label}, item ${n}`,
  nthItem: (label: string, n: number) => `${label}, item ${n}`,
  stored: (instant: string) => `Stored as ${instant}`,
  zone: (zone: string) => `In your time, ${zone}`,
  addItem: 'Add an item',
  addTo: (label: string) => `Add an item to ${label}`,
  moveUp: (what: string) => `Move ${what} up`,
  moveDown: (what: string) => `Move ${what} down`,
  remove: (what: string) => `Remove ${what}`,
  full: 'No more fit in.',
  pick: (types: string) => `Search ${types.toLowerCase()} …`,
  pickType: (label: string) => `Type of the records for ${label}`,
  pickTerm: (taxonomy: string) => `Search ${taxonomy} …`,
  terms: 'Terms',
  create: (name: string) => `Create “${name}”`,
  created: (name: string) => `“${name}” is created`,
  isNew: 'new',
  searching: 'Searching …',
  nothingFound: 'Nothing found',
  allPicked: 'Picked already',
  notChosen: (text: string) => `“${text}” is not chosen: pick one or clear the box.`,
  isThere: (name: string) => `“${name}” was there already, and is picked`,
  more: (shown: number, total: number) => `Show more (${shown.toLocaleString('en')} of ${total.toLocaleString('en')})`,
  faults: (n: number) => (n === 1 ? 'One thing is to be mended' : `${n} things are to be mended`),
  json: {
    at: (line: number, column: number, message: string) => `Line ${line}, column ${column}: ${message} Not saved.`,
    format: 'Format',
    surplus: 'there is something behind the end.',
    tooDeep: (most: number) => `there are more than ${most} levels.`,
    trailingComma: 'the last item has a comma behind it.',
    unclosed: (end: string) => `the closing ${end} is missing.`,
    commaOr: (end: string) => `a comma or ${end} is missing.`,
    nameInQuotes: 'a name in double quotes is missing.',
    colon: 'a colon is missing.',
    twice: (name: string) => `the name ${JSON.stringify(name)} is there twice.`,
    badText: 'this text does not end, or has a sign that needs a backslash.',
    badNumber: 'this is no number.',
    tooLarge: 'this number is too large; put it in quotes.',
    tooManyDigits: 'this number has more digits than can be kept; put it in quotes.',
    quotes: (word: string) => `${word} needs double quotes.`,
    missing: 'a value is missing.',
    noValue: (sign: string) => `a value is missing before ${sign}`,
  },
} as const;

/** The smallest and the largest number, as a rule that is read before it is broken. */
function limits(least: number | undefined, most: number | undefined, one: string, many: string): string {
  if (least !== undefined && least > 0 && most !== undefined) {
    return least === most ? `Exactly ${counted(most, one, many)}` : `${least} to ${counted(most, one, many)}`;
  }
  if (most !== undefined) return `At most ${counted(most, one, many)}`;
  return least !== undefined && least > 0 ? `At least ${counted(least, one, many)}` : '';
}
