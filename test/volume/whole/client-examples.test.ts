import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { startProgram } from '../../support/webhooks/start-program.ts';
import { until } from '../../support/until.ts';
import { openStack, type Beneficiary } from '../../support/e2e/stack.ts';

const run = promisify(execFile);
const FOLDER = join(import.meta.dirname, '../../../docs/examples/client');
/** A program of its own, on a machine that is busy. */
const EXAMPLE_MS_MAX = 120_000;

const stack = openStack();
let to: Beneficiary;
beforeAll(async () => {
  await stack.untilReady();
  to = await stack.addBeneficiary();
});

const nodeArgs = (name: string) => ['--import', 'tsx', join(FOLDER, `${name}.ts`)];

/** Runs an example as a program that knows nothing but its settings; the lines that it writes. */
async function play(name: string): Promise<string[]> {
  const { apiUrl, testApiKey } = stack.state();
  const { stdout } = await run(process.execPath, nodeArgs(name), {
    timeout: EXAMPLE_MS_MAX,
    env: {
      PATH: process.env['PATH'],
      ...{ CAUSEWAY_URL: apiUrl, CAUSEWAY_API_KEY: testApiKey },
      ...{ END_USER: to.endUserId, BANK_ACCOUNT: to.bankAccountId },
      INVOICE: `${name}-${randomBytes(6).toString('hex')}`,
      WALLET_ADDRESS: `0x${randomBytes(20).toString('hex')}`,
    },
  });
  return stdout.trim().split('\n');
}

const PAYMENT = 'pay_[0-9a-z]{26}';
/** What each example writes, line by line; the receiver of webhooks has a test of its own. */
const WRITTEN: Readonly<Record<string, readonly RegExp[]>> = {
  quickstart: [new RegExp(`^${PAYMENT} COMPLETED 125\\.50$`)],
  idempotency: [/^one payment$/, /^idempotency-[0-9a-f]+-2: it can be paid in another way$/],
  quotes: [
    /^[0-9.]+ USD for 100\.00 EUR at [0-9.]+$/,
    new RegExp(`^${PAYMENT} takes [0-9.]+ USD$`),
  ],
  batches: [
    new RegExp(`^batches-[0-9a-f]+-1: ${PAYMENT}$`),
    new RegExp(`^batches-[0-9a-f]+-2: ${PAYMENT}$`),
    /^batches-[0-9a-f]+-3: amount_precision_exceeded$/,
  ],
  kyc: [/^send the end-user to check\.link\.url$/, /^APPROVED *$/],
  errors: [/^refused: (insufficient_balance|amount_above_maximum)$/],
  wallets: [/^COMPLETED in 0x[0-9a-f]{64}$/],
  deposits: [/^COMPLETED, paid for by [0-9.]+ USDC$/],
};

describe('the examples of docs/reference/client.md', () => {
  it('are all run', () => {
    const files = readdirSync(FOLDER).map((file) => file.replace(/\.ts$/, ''));
    expect(files.sort()).toEqual([...Object.keys(WRITTEN), 'webhooks'].sort());
  });

  for (const [name, lines] of Object.entries(WRITTEN)) {
    it(`do what they say: ${name}`, async () => {
      const written = await play(name);
      expect(written).toEqual(lines.map((line) => expect.stringMatching(line) as string));
    });
  }

  it('do what they say: webhooks', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${String(port)}/hooks`;
    const { body: endpoint } = await stack.insist<{ id: string; secret: string }>(
      'POST',
      '/webhook-endpoints',
      { url, types: ['payment.completed'] },
      { 'idempotency-key': `client-example-${String(port)}-${randomBytes(6).toString('hex')}` },
    );
    const receiver = startProgram(() => [process.execPath, ...nodeArgs('webhooks')])({
      ...{ port, secrets: endpoint.secret },
    });
    try {
      await until('the receiver', async () => {
        if (receiver.hasEnded()) throw new Error('the receiver has ended');
        return fetch(url, { method: 'POST', body: '{}' }).catch(() => null);
      });
      const forged = {
        'webhook-id': 'evt_a',
        'webhook-timestamp': '1',
        'webhook-signature': 'v1,',
      };
      expect((await fetch(url, { method: 'POST', body: '{}', headers: forged })).status).toBe(401);
      const id = await stack.pay(to, '10.00');
      await until('its event', () =>
        receiver.taken().find((line) => line === `payment.completed ${id} 10.00`),
      );
    } finally {
      await receiver.stop();
      await stack.call('DELETE', `/webhook-endpoints/${endpoint.id}`);
    }
  });
});
