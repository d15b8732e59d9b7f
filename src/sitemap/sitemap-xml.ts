import { Readable, Transform, type TransformCallback } from 'node:stream';
import { ErrorLevel, SitemapIndexStream, SitemapItemStream, type SitemapItem } from 'sitemap';
import { isTime, timeText } from '../common/text/time-text.js';

/** One address, and when what is there was last changed. */
export interface SitemapEntry {
  readonly url: string;
  /** Milliseconds since 1970, UTC; `null`: not known. */
  readonly changedAt: number | null;
}

/** Streams to be connected: entries first, text last. */
export type XmlStreams = readonly [Readable, Transform, Transform];

const PIECE_LENGTH = 16_384;
const URLSET = '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
const URLSET_END = '</urlset>';

/**
 * A file of addresses. The stream of single items and not `SitemapStream`: that one would spend as much again on
 * parsing addresses that are whole already.
 */
export function urlsetXml(entries: AsyncIterable<SitemapEntry>): XmlStreams {
  return [
    Readable.from(mapped(entries, urlItem)),
    new SitemapItemStream({ level: ErrorLevel.SILENT }),
    new Gather(URLSET, URLSET_END),
  ];
}

/** A file that lists other files. */
export function indexXml(entries: Iterable<SitemapEntry>): XmlStreams {
  const items = [...entries].map(({ url, changedAt }) => ({ url, ...lastmod(changedAt) }));
  return [Readable.from(items), new SitemapIndexStream({ level: ErrorLevel.THROW }), new Gather('', '')];
}

/**
 * Text comes in a piece for every element, and compressing so small pieces takes ten times as long. Each larger piece
 * waits for the next turn of the event loop: nothing else in the way from SQLite to a fast client does.
 */
class Gather extends Transform {
  constructor(
    private text: string,
    private readonly closing: string,
  ) {
    super({ writableObjectMode: true });
  }

  override _transform(text: string, _encoding: string, done: TransformCallback): void {
    this.text += text;
    if (this.text.length < PIECE_LENGTH) done();
    else setImmediate(done, null, this.taken());
  }

  override _flush(done: TransformCallback): void {
    this.text += this.closing;
    done(null, this.taken());
  }

  private taken(): string {
    const { text } = this;
    this.text = '';
    return text;
  }
}

const PLAIN = { img: [], video: [], links: [] };

function urlItem({ url, changedAt }: SitemapEntry): SitemapItem {
  return { url, ...lastmod(changedAt), ...PLAIN };
}

function lastmod(changedAt: number | null): { lastmod?: string } {
  return isTime(changedAt) ? { lastmod: timeText(changedAt) } : {};
}

async function* mapped<From, To>(source: AsyncIterable<From>, map: (from: From) => To): AsyncGenerator<To> {
  for await (const one of source) yield map(one);
}
