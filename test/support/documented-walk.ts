import { differences } from './documented-answer.js';
import { stepsOf } from './documented-steps.js';
import { FreshDemo, type Session } from './fresh-demo.js';

/**
 * Tests that a reader gets through: the `sh` blocks of the files, pasted into one shell beside a fresh demo in their order,
 * work as they stand and print what the files say.
 *
 * @param settings which the files say to start the demo with
 */
export function itWorksOnOneDemo(files: readonly string[], settings: Readonly<Record<string, string>> = {}): void {
  const steps = files.flatMap((file) => stepsOf(file).map((step) => ({ file, ...step })));
  let demo: FreshDemo;
  let session: Session;

  beforeAll(async () => {
    demo = await FreshDemo.start(settings);
    session = await demo.run(steps);
  });

  afterAll(() => demo.stop());

  it.each(steps.map((step, index) => ({ ...step, index, line: step.commands.line })))(
    'line $line of $file works as it stands, and answers what the document says',
    ({ index, answer }) => {
      const output = session.outputs[index];
      if (output === undefined)
        throw new Error(`It failed with ${session.code}, or one before it did.\n${session.errors}`);
      expect(answer === null ? output : differences(answer, output)).toEqual(answer === null ? '' : []);
    },
  );
}
