import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { addCustomer } from '../../support/add-customer.ts';
import { needsProgram } from '../../support/needs-program.ts';
import { until } from '../../support/until.ts';
import { ROOT } from '../../support/docs/markdown.ts';
import { watch } from '../../support/web/open-browser.ts';
import { useBrowser } from '../../support/web/use-browser.ts';
import { copyBlocks, type CopiedBlock } from '../../support/e2e/newcomer/copied-page.ts';
import { openTerminal } from '../../support/e2e/newcomer/terminal.ts';
import { openStack } from '../../support/e2e/stack.ts';

/** Ten requests, on a machine that runs other tests meanwhile. */
const QUICKSTART_MS = 300_000;

/** The one block that is not run: the stack of the tests stands for it. */
const START = 'npm ci && npm run dev';

const stack = openStack();

/** What a newcomer has copied: the quickstart's blocks, and the receiver that it names. */
interface Copied {
  readonly url: string;
  readonly blocks: readonly CopiedBlock[];
  readonly receiver: string;
}

it('the quickstart has ten steps, each of one request that is sent once', () => {
  const text = readFileSync(join(ROOT, 'docs/tutorials/quickstart.md'), 'utf8');
  const steps = text.split(/^## (?=\d)/m).slice(1);
  expect(steps.map((step) => Number.parseInt(step, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  for (const step of steps) {
    const [own = ''] = step.split('\n## ');
    const code = [...own.matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block).join('');
    expect(code.match(/\bcurl\b/g)).toHaveLength(1);
    // What is waited for is no request.
    expect(code).not.toMatch(/(until|while|for) .*curl/);
    // A newcomer is told something beside the command.
    expect(own.replaceAll(/```[^]*?```/g, '').length).toBeGreaterThan(60);
  }
});

const browser = useBrowser();

it(
  'a newcomer copies ten requests from the docs, pays, and verifies the webhook by the code there',
  async (context) => {
    needsProgram(context, 'curl');
    const own = await browser().newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    await stack.untilReady();
    const { apiUrl } = stack.state();
    const copied = await copyAll(await own.newPage(), apiUrl);
    await own.close();
    // A newcomer's account is new: files that share the stack pay as the same customer, and its webhooks tell of each.
    await play(copied, await openAccount());
  },
  QUICKSTART_MS,
);

/** The test key of a new customer, whose sandbox balances have come. */
async function openAccount(): Promise<string> {
  const { testApiKey } = await addCustomer(stack.folder, 'A Newcomer');
  const authorization = `Bearer ${testApiKey}`;
  await until('the balances of a new customer', async () => {
    const { body } = await stack.call<{ data: unknown[] }>('GET', '/balances', undefined, {
      authorization,
    });
    return body.data.length > 0 || null;
  });
  return testApiKey;
}

/** From the first page of the docs to the quickstart, and from there to the receiver that it names. */
async function copyAll(page: Page, apiUrl: string): Promise<Copied> {
  const { problems } = await watch(page);
  await page.goto(`${apiUrl}/docs`);
  await page.getByRole('main').getByRole('link', { name: 'Quickstart' }).first().click();
  await page.waitForURL('**/docs/guides/quickstart');
  const url = page.url();
  const blocks = await copyBlocks(page);
  await page.getByRole('main').getByRole('link', { name: 'receiver', exact: true }).click();
  await page.waitForURL('**/docs/guides/verify-webhooks#typescript');
  const receivers = await copyBlocks(page);
  expect(problems).toEqual([]);
  const receiver = receivers.find(({ heading }) => heading === 'TypeScript');
  return { url, blocks, receiver: receiver?.text ?? '' };
}

/** Pastes what was copied into a terminal, step by step, and prints how long each took. */
async function play({ url, blocks, receiver }: Copied, testApiKey: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-test-newcomer-'));
  const terminal = openTerminal(folder, QUICKSTART_MS - 60_000);
  try {
    // The folder of a newcomer: packages, what `npm run dev` has written, and the receiver as copied.
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    mkdirSync(join(folder, '.dev'));
    writeFileSync(join(folder, '.dev/state.json'), JSON.stringify({ testApiKey }));
    mkdirSync(join(folder, 'docs/examples/webhooks'), { recursive: true });
    writeFileSync(join(folder, 'docs/examples/webhooks/receiver.ts'), receiver);

    const [start, setup, ...steps] = blocks;
    expect(start?.text).toBe(START);
    expect(setup?.text).toMatch(/^HOOK_PORT=\d+$/m);
    const port = await freePort();
    // "A port that is free": the one thing of the page that a newcomer may have to fill in.
    await terminal.paste((setup?.text ?? '').replace(/^HOOK_PORT=.*$/m, `HOOK_PORT=${port}`));

    const took = new Map<string, number>();
    for (const { heading, text } of steps) {
      took.set(heading, (took.get(heading) ?? 0) + (await terminal.paste(text)));
    }
    print(url, took);
    expect(took.size).toBe(10);

    const written = terminal.written();
    expect(written, written).not.toContain('"error":');
    expect(written).toMatch(/evt_\w+ kyc\.approved/);
    expect(written).toMatch(/evt_\w+ payment\.completed/);
    expect(written, written).toContain('"status":"COMPLETED"');
    await expectForgedRefused(port);
  } finally {
    terminal.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The receiver tells what Causeway signed from what another sender posts. */
async function expectForgedRefused(port: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: {
      'webhook-id': 'evt_01m7y7134xfev8ndkapq3yft4w',
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': `v1,${Buffer.alloc(32, 7).toString('base64')}`,
    },
    body: JSON.stringify({ id: 'evt_01m7y7134xfev8ndkapq3yft4w', type: 'payment.completed' }),
    signal: AbortSignal.timeout(60_000),
  });
  expect(answer.status).toBe(401);
}

/** For people to look at: no time is a reason to fail. */
function print(url: string, took: ReadonlyMap<string, number>): void {
  const row = (what: string, ms: number) =>
    `  ${what.padEnd(32)} ${Math.round(ms).toLocaleString('en').padStart(8)} ms`;
  const all = [...took.values()].reduce((sum, ms) => sum + ms, 0);
  const rows = [...took].map(([heading, ms]) => row(heading, ms));
  process.stdout.write(
    [`\nA newcomer's ten requests, copied from ${url}`, ...rows, row('all', all), ''].join('\n'),
  );
}
