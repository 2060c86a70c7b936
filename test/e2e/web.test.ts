import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { keepSecrets } from '../../src/cli/dev/dev-secrets.ts';
import { auditIsSealed } from '../../src/cli/verify/audit-is-sealed.ts';
import { connectToVerify } from '../../src/cli/verify/reader.ts';
import { findAxeProblems, watch } from '../support/web/open-browser.ts';
import { until } from '../support/until.ts';
import { peppersOf } from '../support/test-vault.ts';
import { openStack } from '../support/e2e/stack.ts';
import { useBrowser } from '../support/web/use-browser.ts';

const stack = openStack();
beforeAll(async () => {
  await stack.untilReady();
});
const browser = useBrowser();

/** Asks the listener behind a URL, under the host that is given. */
async function ask(url: string, host = new URL(url).host): Promise<IncomingMessage> {
  const { port, pathname } = new URL(url);
  const sent = request({ host: '127.0.0.1', port, path: pathname, headers: { host } });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer;
}

describe('the web of a local run', () => {
  it('has a mailbox under a name of its own', async () => {
    const { mailboxUrl } = stack.state();
    expect(new URL(mailboxUrl).hostname).toBe('mailbox.localhost');
    expect((await ask(`${mailboxUrl}/api/v1/messages`)).statusCode).toBe(200);
    expect((await ask(`${mailboxUrl}/`, 'evil.example')).statusCode).toBe(421);
  });

  it('answers each surface under its own name, and under no other', async () => {
    const { dashboardUrl, opsUrl, pids } = stack.state();
    expect(pids['dashboard']).toBeGreaterThan(0);
    expect(pids['console']).toBeGreaterThan(0);
    expect(pids['console']).not.toBe(pids['dashboard']);
    for (const [own, other] of [
      [dashboardUrl, opsUrl],
      [opsUrl, dashboardUrl],
    ] as const) {
      expect((await ask(`${own}/health`)).statusCode).toBe(200);
      expect((await ask(`${own}/`, new URL(other).host)).statusCode).toBe(421);
      const crossed = `${new URL(other).hostname}:${new URL(own).port}`;
      expect((await ask(`${own}/`, crossed)).statusCode).toBe(421);
      expect((await ask(`${own}/`, `127.0.0.1:${new URL(own).port}`)).statusCode).toBe(421);
    }
  });

  it('lets its seeded people in by the code that the mailbox has', async () => {
    const { dashboardUrl, opsUrl, logins } = stack.state();
    expect(logins.operators.length).toBeGreaterThanOrEqual(3);
    for (const [origin, address] of [
      [dashboardUrl, logins.owner],
      [opsUrl, logins.operators[0] ?? ''],
    ] as const) {
      const context = await browser().newContext();
      const page = await context.newPage();
      const { problems } = await watch(page);
      await page.goto(origin);
      expect(page.url()).toBe(`${origin}/login`);
      expect(await findAxeProblems(page)).toEqual([]);
      await page.goto(`${origin}/login?next=%2Fsettings`);
      await page.getByLabel('Email address').fill(address);
      await page.getByRole('button', { name: 'Send the code' }).click();
      await page.getByLabel('8-digit code').fill(await codeFor(address));
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.waitForURL(`${origin}/settings`);
      expect(await findAxeProblems(page)).toEqual([]);
      expect(problems).toEqual([]);
      await context.close();
    }
  });
});

it('the worker of a local run seals the audit log', async () => {
  await until('a seal over every act', async () => {
    const [open] = await stack.sql(
      `SELECT count(*)::integer AS count FROM audit_log
       WHERE id > coalesce((SELECT max(last_id) FROM audit_seals), 0)`,
    );
    return open?.['count'] === 0 ? true : null;
  });
  const connection = await connectToVerify(stack.state().databaseUrl);
  try {
    const peppers = peppersOf(keepSecrets(stack.folder).pepper);
    const findings = await auditIsSealed(connection, { peppers, kept: null });
    expect(findings?.samples).toEqual([]);
    expect(findings?.checked).toBeGreaterThan(0);
  } finally {
    await connection.close();
  }
});

/** The code of the newest mail to an address, once the mailbox has it. */
async function codeFor(address: string): Promise<string> {
  const { mailboxUrl } = stack.state();
  const read = async (path: string) => {
    const { host, port } = new URL(mailboxUrl);
    const sent = request({ host: '127.0.0.1', port, path, headers: { host } });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    return JSON.parse(text);
  };
  return until('a mail with a code', async () => {
    const path = `/api/v1/search?query=${encodeURIComponent(`to:${address}`)}`;
    const { messages } = await read(path);
    if (messages.length === 0) return null;
    const { Text } = await read(`/api/v1/message/${String(messages[0].ID)}`);
    return /\b\d{4} \d{4}\b/.exec(String(Text))?.[0] ?? null;
  });
}
