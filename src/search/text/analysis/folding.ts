import { LATIN_FORMS } from '../../../common/text/fold.js';

/** Meaning of a piece of text to a search: part of a word, part of a script written without spaces, or neither. */
type PieceKind = 'word' | 'run' | 'break';

/** One folded character, spelled so that every engine takes it for a letter. */
export interface Piece {
  readonly text: string;
  readonly kind: PieceKind;
}

/** Marks of Latin, Greek, Cyrillic, Hebrew and Arabic. Those of kana, Thai or Devanagari make other letters. */
const FOLDED_MARKS =
  /[\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]+/g;
/** Soft hyphens, zero-width characters, variation selectors; and the Arabic stroke that only stretches a word. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u0640]+/gu;
const LETTER = /^[\p{L}\p{N}\p{M}]$/u;
const UNSPACED =
  /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]$/u;
/**
 * Letters that FTS5's unicode61 and InnoDB both keep as they are. Neither takes all of Unicode for letters (marks are
 * none to FTS5, nothing beyond U+FFFF is one to InnoDB), and both fold some; whatever is not listed is spelled in hex.
 */
const PLAIN =
  /^[a-z0-9\u0180-\u02AF\u03B1-\u03C1\u03C3-\u03C9\u0430-\u0481\u048A-\u04FF\u0561-\u0586\u05D0-\u05EA\u0621-\u063A\u0641-\u064A\u0671-\u06D3\u0904-\u0939\u0966-\u096F\u0E01-\u0E30\u0E32\u0E33\u0E40-\u0E46\u10D0-\u10FA\u3005-\u3007\u3041-\u3096\u30A1-\u30FA\u30FC\u3105-\u312C\u3400-\u4DB5\u4E00-\u9FA5\uAC00-\uD7A3]$/;

const OTHER_FORMS: Readonly<Record<string, string>> = {
  ...LATIN_FORMS,
  ς: 'σ',
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
};
const ARABIC_DIGITS = '٠١٢٣٤٥٦٧٨٩';
const PERSIAN_DIGITS = '۰۱۲۳۴۵۶۷۸۹';

/** `'É'` -> `'e'`, `'ﬁ'` -> `'fi'`, `'ﾊﾟ'` -> `'パ'`, `'ё'` -> `'е'`; nothing is left of a soft hyphen. */
export function foldCharacter(cluster: string): string {
  const composed = cluster
    .normalize('NFKD')
    .replace(FOLDED_MARKS, '')
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(FOLDED_MARKS, '');
  return Array.from(composed, otherForm).join('');
}

function otherForm(character: string): string {
  const digit = Math.max(ARABIC_DIGITS.indexOf(character), PERSIAN_DIGITS.indexOf(character));
  return digit >= 0 ? String(digit) : (OTHER_FORMS[character] ?? character);
}

export const BREAK: Piece = { text: '', kind: 'break' };

const MAX_KEPT = 20_000;
const kept = new Map<string, readonly Piece[]>();

/** The pieces of a character with its marks, kept because a text has few different ones. */
export function piecesOf(cluster: string): readonly Piece[] {
  const known = kept.get(cluster);
  if (known) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const pieces = Array.from(foldCharacter(cluster), toPiece);
  kept.set(cluster, pieces);
  return pieces;
}

const keptUnits = new Map<number, readonly Piece[]>();

/** {@link piecesOf} a character of one UTF-16 unit without marks, as most are: found without a string for it. */
export function piecesOfUnit(code: number): readonly Piece[] {
  const known = keptUnits.get(code);
  if (known) return known;
  const pieces = piecesOf(String.fromCharCode(code));
  keptUnits.set(code, pieces);
  return pieces;
}

function toPiece(character: string): Piece {
  if (!LETTER.test(character)) return BREAK;
  return { text: spelled(character), kind: UNSPACED.test(character) ? 'run' : 'word' };
}

/** Spelling of one length for all, so that none is the beginning of another. `'𠮷'` -> `'_20bb7'` */
function spelled(character: string): string {
  if (PLAIN.test(character)) return character;
  return `_${(character.codePointAt(0) ?? 0).toString(16).padStart(5, '0')}`;
}
