import { FreshDemo } from '../support/fresh-demo.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof METHODS)[number];
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema?: { readonly enum?: readonly unknown[] };
}
interface Body {
  readonly content: Readonly<Record<string, { readonly example?: unknown; readonly examples?: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Body;
}
interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Partial<Record<Method, Operation>>> & Pick<Operation, 'parameters'>>
  >;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

/** Operations whose example cannot be answered with 2xx in a demo, and why. */
const NOT_HERE = new Map([
  ['beginGoogleSignIn', 'leads to Google'],
  ['beginAppleSignIn', 'leads to Apple'],
  ['beginOidcSignIn', 'the demo has no such provider'],
  ['finishGoogleSignIn', 'a provider leads there'],
  ['finishAppleSignIn', 'a provider leads there'],
  ['finishOidcSignIn', 'a provider leads there'],
  ['showInvitation', 'a mailed link leads there'],
  ['visitLink', 'a mailed link leads there'],
  ['showPasswordForm', 'a mailed link leads there'],
  ['showLockDownForm', 'a mailed link leads there'],
  ['getDraftOfPost', 'nothing is being edited'],
  ['getDraftOfPage', 'nothing is being edited'],
  ['getDraftOfPerson', 'nothing is being edited'],
]);

describe('The reference in the demo', () => {
  let demo: FreshDemo;
  let url: string;
  let description: Description;
  let access: string;

  beforeAll(async () => {
    demo = await FreshDemo.start();
    url = `http://127.0.0.1:${demo.listensOn}`;
    description = (await (await fetch(`${url}/api/openapi.json`)).json()) as Description;
    access = await signIn();
  });

  afterAll(() => demo.stop());

  async function signIn(): Promise<string> {
    const password = /^password: (.+)$/m.exec(demo.file('data/first-admin.txt'))?.[1] ?? '';
    const answer = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'admin@example.com', password }),
    });
    return ((await answer.json()) as { token: string }).token;
  }

  const operations = () =>
    Object.entries(description.paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = item[method];
        return operation ? [{ path, method, operation, parameters: parametersOf(item, operation) }] : [];
      }),
    );

  /** Those of the path, unless the operation has its own. */
  function parametersOf(...places: readonly Pick<Operation, 'parameters'>[]): Parameter[] {
    const shared = description.components.parameters;
    const all = places
      .flatMap(({ parameters = [] }) => parameters)
      .map((one) => ('$ref' in one ? shared[one.$ref.replace('#/components/parameters/', '')] : one))
      .filter((one) => one !== undefined);
    return [...new Map(all.map((one) => [`${one.in} ${one.name}`, one])).values()];
  }

  const exampleOf = ({ example, schema }: Parameter): unknown => example ?? schema?.enum?.[0];

  it('has an example of each part that a request needs', () => {
    const lacking = operations().flatMap(({ operation, ...all }) => {
      const parameters = all.parameters.filter((one) => one.required && exampleOf(one) === undefined);
      const media = Object.values(operation.requestBody?.content ?? {});
      const isLacking = media.some((one) => one.example === undefined && one.examples === undefined);
      return [...parameters.map(({ name }) => name), ...(isLacking ? ['body'] : [])].map(
        (part) => `${operation.operationId}: ${part}`,
      );
    });

    expect(operations().length).toBeGreaterThan(100);
    expect(lacking).toEqual([]);
  });

  it('has examples of reading that answer 2xx', async () => {
    const failed: string[] = [];
    for (const { path, operation, parameters } of operations().filter(({ method }) => method === 'get')) {
      const { status } = await fetch(url + addressOf(path, parameters), {
        headers: { Authorization: `Bearer ${access}` },
        redirect: 'manual',
      });
      if (status < 200 || status > 299) failed.push(operation.operationId);
    }

    expect(failed.toSorted()).toEqual([...NOT_HERE.keys()].toSorted());
  });

  function addressOf(path: string, parameters: readonly Parameter[]): string {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      String(exampleOf(parameters.find((one) => one.name === name) ?? { name, in: 'path' })),
    );
    const query = parameters.filter((one) => one.in === 'query' && one.required);
    const values = query.map((one) => [one.name, String(exampleOf(one))] as const);
    return `${filled}?${new URLSearchParams(Object.fromEntries(values)).toString()}`;
  }

  it('has the token of the demo for a browser on this machine, and for nothing else', async () => {
    const token = demo.file('data/first-run.txt').trim().split('\n').at(-1) ?? '';
    const hasToken = async (headers: Record<string, string>): Promise<boolean> =>
      (await demo.get('/api/docs', headers)).includes(token);

    expect(token).toMatch(/^cms_/);
    expect(await hasToken({ Host: 'localhost:3000' })).toBe(true);
    expect(await hasToken({ Host: '127.0.0.1:3000', 'Sec-Fetch-Site': 'none' })).toBe(true);
    expect(await hasToken({ Host: 'rebound.example.com' })).toBe(false);
    expect(await hasToken({ Host: 'localhost:3000', Origin: 'http://localhost:5173' })).toBe(false);
    expect(await hasToken({ Host: 'localhost:3000', 'Sec-Fetch-Site': 'cross-site' })).toBe(false);
    expect(await hasToken({ Host: 'localhost:3000', 'X-Forwarded-For': '203.0.113.9' })).toBe(false);
  });
});
