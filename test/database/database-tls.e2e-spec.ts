import { readDatabase } from '../../src/config/settings.js';
import { openNamed } from '../../src/database/dialect/data-source.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import { certificateOf, TlsDatabase } from '../support/tls-database.js';

describe('The connection to a database server', () => {
  let server: TlsDatabase;

  afterEach(() => server.stop());

  /** Why it fails with these parameters: the server lets no client in. */
  async function failureWith(query: string): Promise<string> {
    const dialect = dialectFor(readDatabase('test', { DATABASE_URL: server.url + query }));
    const failures = [dialect.readerOptions(), dialect.writerOptions()].map((options) =>
      openNamed(dialect.label, options).then(
        () => 'it was opened',
        (error: unknown) => (error as Error).message,
      ),
    );
    const [reader = '', writer] = await Promise.all(failures);
    expect(writer).toBe(reader);
    return reader;
  }

  it('is plain unless it is said otherwise', async () => {
    server = await TlsDatabase.start('localhost');

    expect(await failureWith('')).toContain('refused');
    expect(await failureWith('?ssl-mode=DISABLED')).toContain('refused');
    expect(server.logins).toEqual({ plain: ['ann', 'ann', 'ann', 'ann'], encrypted: [] });
  });

  it('is encrypted with a certificate of the authority that was named', async () => {
    server = await TlsDatabase.start('localhost');

    expect(await failureWith(`?ssl-ca=${certificateOf('localhost')}`)).toContain('refused');
    expect(server.logins).toEqual({ plain: [], encrypted: ['ann', 'ann'] });
  });

  it('is not made with a certificate of an authority that is not trusted', async () => {
    server = await TlsDatabase.start('localhost');

    expect(await failureWith('?ssl-mode=VERIFY_IDENTITY')).toMatch(/cannot be opened: .*certificate/);
    expect(await failureWith(`?ssl-ca=${certificateOf('elsewhere')}`)).toMatch(/cannot be opened: .*certificate/);
    expect(server.logins).toEqual({ plain: [], encrypted: [] });
  });

  it('is not made with a certificate for another name', async () => {
    server = await TlsDatabase.start('elsewhere');

    expect(await failureWith(`?ssl-ca=${certificateOf('elsewhere')}`)).toContain(
      "does not match certificate's altnames",
    );
    expect(server.logins).toEqual({ plain: [], encrypted: [] });
  });

  it('is not made in plain where the server offers nothing else', async () => {
    server = await TlsDatabase.start('localhost', false);

    expect(await failureWith(`?ssl-ca=${certificateOf('localhost')}`)).toContain('does not support secure connection');
    expect(server.logins).toEqual({ plain: [], encrypted: [] });
  });
});
