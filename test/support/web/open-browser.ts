import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { findNpmChromium } from '../npm-chromium.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** CHROMIUM_PATH, else the system's Chromium, else the optional package's; null where there is none. */
async function findChromium() {
  const named = process.env['CHROMIUM_PATH'] ?? '';
  if (named !== '' && !existsSync(named)) {
    throw new Error(`CHROMIUM_PATH is ${named}, which does not exist`);
  }
  const executablePath = [named, ...PLACES].find((path) => path !== '' && existsSync(path));
  return executablePath === undefined ? findNpmChromium() : { executablePath, env: {} };
}

/** How long a page may take for one act. A busy machine only makes it later. */
const ACT_MS_MAX = 120_000;

/** Starts a Chromium; null where there is none. */
export async function openBrowser(): Promise<Browser | null> {
  const found = await findChromium();
  if (found === null) return null;
  // Chromium refuses to run its sandbox as root.
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    env: { ...process.env, ...found.env },
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  browser.on('context', (context) => context.setDefaultTimeout(ACT_MS_MAX));
  return browser;
}

/** Keeps what a page was refused by its policy, what its script threw, and whom it asked. */
export async function watch(page: Page) {
  const problems: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => asked.push(request.url()));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`CSP ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return { problems, asked };
}

const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));
/** Through the debugger: the page's own policy would refuse a script element. */
async function loadAxe(page: Page): Promise<void> {
  const source = await readFile(AXE, 'utf8');
  // Sent once: the browser keeps it, compiled, for the documents that follow.
  await page.addInitScript({ content: source });
  await page.evaluate(source);
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe finds on a page as it stands: WCAG 2.0 to 2.2, A and AA, and best practice. `rules`: these alone,
 * where the page has been judged by the others.
 */
export async function findAxeProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await loadAxe(page);
  return page.evaluate(
    async ([tags, only]) => {
      const { axe } = window as unknown as {
        axe: {
          run(
            root: unknown,
            options: object,
          ): Promise<{
            violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
            passes: unknown[];
          }>;
        };
      };
      const found = await axe.run(document, {
        runOnly: only ?? tags,
        ...{ resultTypes: ['violations'], selectors: false },
      });
      if (found.passes.length < (only?.length ?? 10)) return ['axe looked at nothing'];
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
      );
    },
    [TAGS, rules] as const,
  );
}
