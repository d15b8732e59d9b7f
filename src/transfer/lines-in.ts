/**
 * The lines of a text that comes in pieces: those that end with a piece at a time. By line feeds only: Node's own reader of
 * lines ends one at U+2028 too, which JSON may have in its texts.
 *
 * @param longest characters of a line at most
 * @throws {RangeError} a longer line
 */
export async function* linesIn(pieces: AsyncIterable<string>, longest: number): AsyncGenerator<string[]> {
  let rest: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const lines = piece.split('\n');
    const last = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = rest.join('') + (lines[0] ?? '');
      [rest, length] = [[], 0];
      yield lines;
    }
    rest.push(last);
    length += last.length;
    if (length > longest) throw new RangeError('The line is too long.');
  }
  if (length > 0) yield [rest.join('')];
}
