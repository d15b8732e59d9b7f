import { rm } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { builtConsole } from './built-console.js';
import { FreshChromium } from './chromium.js';
import { ConsolePage } from './console-page.js';
import { freePort } from './free-port.js';
import { aPerson, PASSWORD } from './sign-in.js';
import { startTestApp, type TestApp } from './test-app.js';

/** What the editor says when everything that was typed is saved. */
const SAVED = /All changes saved|Saved, not public yet/;

/** The answer of a record of a type with a body. */
export interface Written {
  readonly data: Readonly<Record<string, unknown>> & { readonly title: string; readonly body: string };
  readonly meta?: object;
}

/** A service that serves its console, a browser with one page of it, and Ann, who may do everything. */
export class ConsoleApp {
  readonly ann = { email: 'ann@example.com' };

  private constructor(
    readonly service: TestApp,
    readonly origin: string,
    readonly browser: FreshChromium,
    private readonly folder: string,
    public view: ConsolePage,
  ) {}

  /** Starts all of it. Nobody is signed in yet, so a test can fill the service first. */
  static async start(environment: NodeJS.ProcessEnv = {}): Promise<ConsoleApp> {
    const consoleFolder = builtConsole();
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const settings = { RATE_LIMITS: 'off', PUBLIC_URL: origin, ...environment };
    const service = await startTestApp(settings, { consoleFolder }, { port });
    const browser = await FreshChromium.start();
    const view = await ConsolePage.open(browser, origin);
    await view.page.setViewportSize({ width: 1440, height: 900 });
    const app = new ConsoleApp(service, origin, browser, consoleFolder, view);
    await aPerson(service, { ...app.ann, name: 'Ann Lee', role: 'admin', verified: true });
    return app;
  }

  get page(): Page {
    return this.view.page;
  }

  /** Signs Ann in, who is led to a path of the console. */
  async signIn(path = '/admin/content/post'): Promise<void> {
    await this.view.goto(path);
    await this.view.signIn(this.ann.email, PASSWORD);
    await this.page.getByRole('button', { name: 'Your account' }).waitFor();
  }

  /** Another page of the same browser. */
  another(): Promise<ConsolePage> {
    return ConsolePage.open(this.browser, this.origin);
  }

  /** Makes a record. @returns its ID */
  async made(type: string, values: object): Promise<number> {
    const { status, body } = await this.service.http().post(`/api/cms/${type}`).send(values);
    expect([status, body]).toEqual([201, expect.anything()]);
    return body.data.id as number;
  }

  /** Opens a record in the editor. */
  async opened(type: string, id: number | string): Promise<void> {
    await this.view.goto(`/admin/content/${type}/${id}`);
    await this.page.getByRole('textbox', { name: 'Title' }).waitFor();
  }

  /** Waits until the editor says that everything is saved. */
  saved(): Promise<void> {
    return this.page.getByRole('status').getByText(SAVED).waitFor();
  }

  /** The answer of a record as its working copy would make it. */
  async written(type: string, id: number): Promise<Written> {
    const draft = await this.service.http().get(`/api/cms/${type}/${id}/draft`);
    const { body } = draft.status === 200 ? draft : await this.service.http().get(`/api/cms/${type}/${id}`);
    return body as Written;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.service.close();
    await rm(this.folder, { recursive: true });
  }
}
