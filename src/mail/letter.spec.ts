import { htmlOf } from './letter-html.js';
import { secretsOf, subjectOf, textOf, type Letter } from './letter.js';

const LETTER: Letter = {
  subject: 'Your code',
  paragraphs: ['Hello Ann,', 'Enter this code:'],
  code: '048213',
  action: { label: 'Sign in', url: 'https://cms.example.com/link?token=abc&next=%2F' },
  footer: 'It holds for 10 minutes.',
};
const HOSTILE = '</title><script>alert("1")</script> & \'co\'';

describe('A letter as text', () => {
  it('is what the letter says, in its order, the code and the address on lines of their own', () => {
    expect(textOf(LETTER)).toBe(
      'Hello Ann,\n\nEnter this code:\n\n    048213\n\nSign in:\nhttps://cms.example.com/link?token=abc&next=%2F\n\n-- \nIt holds for 10 minutes.\n',
    );
  });

  it('may have paragraphs only', () => {
    expect(textOf({ subject: 'x', paragraphs: ['One.', 'Two.'] })).toBe('One.\n\nTwo.\n');
  });

  it('holds no control characters, and none that turn the direction of what follows', () => {
    expect(textOf({ subject: 'x', paragraphs: ['a\u0000b\u001b[2Jc\r\nd\u202ee\te'] })).toBe('ab[2Jc\nde\te\n');
    expect(textOf({ subject: 'x', paragraphs: ['Ann\u2028Sign in at evil\u2029.'] })).toBe('Ann Sign in at evil .\n');
  });
});

describe('The subject of a letter', () => {
  it.each([
    ['Hello\r\nBcc: eve@example.com', 'Hello Bcc: eve@example.com'],
    ['  a \t b\u2028c  ', 'a b c'],
    ['Grüße, 世界 🎉', 'Grüße, 世界 🎉'],
  ])('is one line: %j', (subject, line) => {
    expect(subjectOf({ ...LETTER, subject })).toBe(line);
  });
});

describe('A letter as HTML', () => {
  const html = htmlOf(LETTER, 'Content service');

  it('has a language, one heading, the code in one piece, and the address as a link and as text', () => {
    expect(html).toContain('<html lang="en">');
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(html).toContain('>048213</strong>');
    const url = 'https://cms.example.com/link?token=abc&amp;next=%2F';
    expect(html.match(new RegExp(`href="${url.replace('?', '\\?')}"`, 'g'))).toHaveLength(2);
    expect(html).toContain(`>${url}</a>`);
  });

  it('says to screen readers that its tables are no tables', () => {
    expect(html.match(/<table/g)?.length).toBe(html.match(/<table role="presentation"/g)?.length);
  });

  it('loads nothing from anywhere', () => {
    expect(html).not.toMatch(/<img|<link|<script|\bsrc=|url\(|@import|background=/i);
  });

  it('has colours for the light and for the dark', () => {
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme: dark)');
  });

  it('takes nothing that it is given for HTML', () => {
    const action = { label: HOSTILE, url: `https://example.com/"onclick="x${HOSTILE}` };
    const hostile: Letter = { subject: HOSTILE, paragraphs: [HOSTILE], code: HOSTILE, action, footer: HOSTILE };

    const text = htmlOf(hostile, HOSTILE);

    expect(text).not.toMatch(/<script|"onclick/);
    expect(text.match(/&lt;script&gt;alert\(&quot;1&quot;\)/g)).toHaveLength(10);
    expect(text.match(/<\/title>/g)).toHaveLength(1);
  });

  it('leaves out what the letter does not have', () => {
    const plain = htmlOf({ subject: 'Hello', paragraphs: ['One\ntwo.'] }, 'Example');

    expect(plain).not.toMatch(/<strong|<a /);
    expect(plain).toContain('One<br>two.');
  });
});

describe('The secrets of a letter', () => {
  it('are its code and its link', () => {
    expect(secretsOf(LETTER)).toEqual({ code: '048213', link: LETTER.action?.url });
    expect(secretsOf({ subject: 'x', paragraphs: [] })).toEqual({});
  });
});
