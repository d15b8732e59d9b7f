const VOCABULARY = 20_000;
const SENTENCES = 8_192;
const SYLLABLES = ['ba', 'cor', 'den', 'el', 'fi', 'gra', 'hum', 'is', 'jo', 'kel', 'lum', 'mar', 'no', 'or', 'pre'];

/** Numbers from 0 to 1, the same ones in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function wordOf(rank: number): string {
  const syllables: string[] = [];
  for (let rest = rank; rest > 0 || syllables.length === 0; rest = Math.floor(rest / SYLLABLES.length)) {
    syllables.push(SYLLABLES[rest % SYLLABLES.length] ?? '');
  }
  return syllables.join('');
}

/** Prose of made-up words that are used as unevenly as real ones: the n-th most frequent about 1/n as often as the first. */
export class Prose {
  private readonly random: () => number;
  private readonly sentences: readonly string[];

  constructor(seed: number) {
    this.random = randomNumbers(seed);
    const words = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank));
    // The inverse of the distribution function of 1/n.
    const word = () => words[Math.floor(VOCABULARY ** this.random()) - 1] ?? '';
    this.sentences = Array.from({ length: SENTENCES }, () =>
      Array.from({ length: 5 + Math.floor(this.random() * 12) }, word).join(' '),
    );
  }

  title(): string {
    const words = this.sentence().split(' ').slice(0, 6).join(' ');
    return words.charAt(0).toUpperCase() + words.slice(1);
  }

  /** Markdown of exactly so many bytes. */
  body(bytes: number): string {
    let text = `## ${this.title()}\n\n`;
    while (text.length < bytes) text += `${this.sentence()}. `;
    return text.slice(0, bytes - 1) + '.';
  }

  private sentence(): string {
    return this.sentences[Math.floor(this.random() * SENTENCES)] ?? '';
  }
}
