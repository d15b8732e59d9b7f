/** In this order: many browsers name others beside themselves. */
const PROGRAMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * What a user agent calls itself, in words of ours: the header is text of the client, and none of it belongs into a
 * mail that the service signs.
 *
 * `Mozilla/5.0 (Windows NT 10.0) … Firefox/140.0` -> `Firefox on Windows`
 *
 * @param userAgent `null`: none was sent
 */
export function deviceOf(userAgent: string | null): string {
  const [program, system] = [PROGRAMS, SYSTEMS].map((known) =>
    known.find(([pattern]) => pattern.test(userAgent ?? '')),
  );
  if (!program) return system ? `a program on ${system[1]}` : 'an unknown program';
  return system ? `${program[1]} on ${system[1]}` : program[1];
}
