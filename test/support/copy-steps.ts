import { CopyModel, type Content } from './copy-model.js';
import { copyRequests } from './copy-requests.js';
import { Historian } from './historian.js';
import type { TestApp } from './test-app.js';

/** How something is done to a record of the type `thing` or to its working copy. */
interface How {
  readonly parts: Partial<Content>;
  /** Which of the states of the record is brought back. */
  readonly to: number;
}

/** The steps, each done to the service and to the model. */
export class CopySteps {
  private readonly records: Historian;
  private readonly copies: ReturnType<typeof copyRequests>;
  private readonly path: string;

  private constructor(
    private readonly service: TestApp,
    private readonly id: number,
    private readonly model: CopyModel,
  ) {
    this.records = new Historian(service, 'thing');
    this.copies = copyRequests(() => service);
    this.path = `thing/${id}`;
  }

  static async begin(service: TestApp, content: Content): Promise<CopySteps> {
    const { id, name } = await fieldOf(service);
    const parts = { title: content.title, body: content.body, [name]: content.note };
    const record = await new Historian(service, 'thing').create({ ...parts, slug: null });
    expect(id).toMatch(/^f_/);
    return new CopySteps(service, record, new CopyModel(content));
  }

  merge({ parts }: How): Promise<void> {
    return this.save('merge', parts);
  }

  replace({ parts }: How): Promise<void> {
    return this.save('replace', parts);
  }

  async saveLate({ parts }: How): Promise<void> {
    const { status } = await this.copies.send('patch', this.path, '"d1"', await this.named(parts));
    expect(status).toBe(412);
  }

  async change({ parts }: How): Promise<void> {
    await this.records.update(this.id, await this.named(parts));
    this.model.write({ ...this.model.content, ...parts });
  }

  async rollBack({ to }: How): Promise<void> {
    const at = to % this.model.history.length;
    const [ts, content] = [(await this.records.times(this.id))[at], this.model.history[at]];
    await this.records.post(`${this.id}/rollback/${ts ?? 0}`).expect(200);
    this.model.write(content ?? this.model.content);
  }

  publish(): Promise<void> {
    return this.foldIn('publish', 'publish');
  }

  apply(): Promise<void> {
    return this.foldIn('apply', 'draft/apply');
  }

  async unpublish(): Promise<void> {
    await this.records.post(`${this.id}/unpublish`).expect(200);
    this.model.write(this.model.content, false);
  }

  async discard(): Promise<void> {
    const { status } = await this.copies.send('delete', this.path, null);
    expect(status).toBe(this.model.hasCopy ? 204 : 404);
    this.model.discard();
  }

  /** Of the field of the type, which changes what the bodies of all records are called. */
  async rename(): Promise<void> {
    const field = await fieldOf(this.service);
    const fields = [{ ...field, name: field.name === 'note' ? 'remark' : 'note' }];
    await this.service.http().put('/api/admin/types/thing').send({ fields }).expect(200);
  }

  async expectAsModel(): Promise<void> {
    const { content, isPublished, hasCopy, pending, conflicts } = this.model;
    const live = (await this.records.get(this.id)).body.data;
    expect(live).toMatchObject({ ...(await this.named(content)), status: isPublished ? 'published' : 'draft' });
    const { status, body } = await this.copies.read(this.path);
    expect(status).toBe(hasCopy ? 200 : 404);
    if (!hasCopy) return;
    expect(body.data).toMatchObject(await this.named({ ...content, ...pending }));
    expect(body.meta.draft.changed.toSorted()).toEqual(Object.keys(await this.named(pending)).toSorted());
    const named = await this.named(Object.fromEntries(conflicts.map((part) => [part, null])));
    const found = body.meta.draft.conflicts.map(({ field }: { field: string }) => field);
    expect(found.toSorted()).toEqual(Object.keys(named).toSorted());
  }

  private async save(way: 'merge' | 'replace', parts: Partial<Content>): Promise<void> {
    const { hasCopy } = this.model;
    const { headers } = hasCopy ? await this.copies.read(this.path) : await this.records.get(this.id);
    const method = way === 'merge' ? 'patch' : 'put';
    const { status } = await this.copies.send(method, this.path, String(headers.etag), await this.named(parts));
    this.model.save(way, parts);
    expect(status).toBe(!hasCopy && this.model.hasCopy ? 201 : 200);
  }

  private async foldIn(kind: 'publish' | 'apply', route: string): Promise<void> {
    const { hasCopy, conflicts } = this.model;
    const isMissing = kind === 'apply' && !hasCopy;
    const { status } = await this.records.post(`${this.id}/${route}`);
    expect(status).toBe(conflicts.length > 0 ? 409 : isMissing ? 404 : 200);
    if (status === 200) this.model.foldIn(kind);
  }

  /** By the name that the field has by now. */
  private async named(parts: object): Promise<Record<string, unknown>> {
    const { name } = await fieldOf(this.service);
    return Object.fromEntries(Object.entries(parts).map(([part, value]) => [part === 'note' ? name : part, value]));
  }
}

async function fieldOf(service: TestApp): Promise<{ id: string; name: string }> {
  return (await service.http().get('/api/admin/types/thing')).body.data.fields[0];
}
