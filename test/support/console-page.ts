import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { FreshChromium } from './chromium.js';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Milliseconds that anything on a page may take. */
const PATIENCE = 20_000;
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** What can differ from one scheme to the other: all other rules look at the elements. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];
/** What the service refuses is a line in the console of the browser, whatever the page makes of it. */
const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;

interface AxeNode {
  readonly html: string;
  /** What would have to be otherwise. */
  readonly failureSummary: string;
}

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly AxeNode[] }[];
}

/** A page of the console, with all that must not happen on it. */
export class ConsolePage {
  /** Errors of scripts and policies, and requests that leave the origin. */
  readonly faults: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly origin: string,
  ) {}

  static async open({ context }: FreshChromium, origin: string): Promise<ConsolePage> {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const opened = new ConsolePage(page, origin);
    page.on('console', (message) => {
      if (message.type() === 'error' && !REFUSED.test(message.text())) opened.faults.push(message.text());
    });
    page.on('pageerror', (error) => opened.faults.push(String(error)));
    page.on('request', (request) => {
      const url = request.url();
      if (/^https?:/.test(url) && !url.startsWith(origin)) opened.faults.push(url);
    });
    return opened;
  }

  async goto(path: string): Promise<void> {
    await this.page.goto(`${this.origin}${path}`);
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.page.getByLabel('E-mail').fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Pastes a text into the first input of a label. */
  async paste(label: string, text: string): Promise<void> {
    const input = this.page.locator(`input[aria-label="${label}"]`).first();
    await input.focus();
    await this.page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', ${JSON.stringify(text)});
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`);
  }

  /** Picks what a picker finds for the words in it: until it knows, its list is that for other words, and about to move. */
  async pick(name: string | RegExp): Promise<void> {
    await this.page.locator('[role=listbox][aria-busy=false]').getByRole('option', { name }).click();
  }

  /** What axe finds, in both schemes: the rule and the first element that breaks it. */
  async violations(): Promise<string[]> {
    // Not by a tag in the page, which its policy refuses.
    await this.page.evaluate(`${AXE}; undefined`);
    return [...(await this.violationsIn('light', TAGS)), ...(await this.violationsIn('dark', RULES_OF_COLOURS))];
  }

  private async violationsIn(colorScheme: 'light' | 'dark', runOnly: readonly string[]): Promise<string[]> {
    await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await this.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    const { violations } = await this.page.evaluate<AxeResults>(`axe.run({ runOnly: ${JSON.stringify(runOnly)} })`);
    return violations.map(({ id, nodes: [node] }) => `${colorScheme} ${id}: ${node?.html} ${node?.failureSummary}`);
  }

  /** What reaches beyond the right edge of the screen, where the page can be scrolled there. */
  async overflow(): Promise<string[]> {
    return this.page.evaluate<
      string[]
    >(`new Promise((found) => requestAnimationFrame(() => requestAnimationFrame(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      const isWide = (element) => element.getBoundingClientRect().right > clientWidth + 1;
      const wide = scrollWidth > clientWidth ? [...document.body.querySelectorAll('*')].filter(isWide) : [];
      found(wide.map((element) => element.outerHTML.slice(0, 120)));
    })))`);
  }
}
