import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { FORM_TYPE, writeForm } from '../../support/parties/kyc-page-visitor.ts';
import { addCustomer, runOps } from '../../support/add-customer.ts';
import { pdf, png } from '../../support/kyc-files.ts';
import { playsOf, textOf, wordsOf } from '../../support/sandbox-page.ts';
import { until } from '../../support/until.ts';
import { openStack } from '../../support/e2e/stack.ts';

/** On a machine that is busy: what is told to last longest takes sixty seconds (`STALLED`). */
const STEP_MS_MAX = 180_000;

const stack = openStack();
/** A customer of its own: faults that are armed meet all payments of one. */
let headers: { readonly authorization: string };
let to: { readonly endUserId: string; readonly bankAccountId: string };

async function post<Body extends object = { readonly id: string }>(
  path: string,
  body: object,
): Promise<Body> {
  const keyed = { ...headers, 'idempotency-key': randomUUID() };
  const answer = await stack.insist<Body>('POST', path, body, keyed);
  expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300);
  return answer.body;
}
const get = async <Body>(path: string): Promise<Body> =>
  (await stack.insist<Body>('GET', path, undefined, headers)).body;

async function addEndUser(lastName: string): Promise<string> {
  const individual = { firstName: 'Ada', lastName };
  const { id } = await post('/end-users', { type: 'INDIVIDUAL', individual });
  await post(`/end-users/${id}/kyc`, {});
  return id;
}

beforeAll(async () => {
  await stack.untilReady();
  const { testApiKey } = await addCustomer(stack.folder, 'Another Partner');
  headers = { authorization: `Bearer ${testApiKey}` };
  const endUserId = await addEndUser('Sample');
  await untilTold(await kycOf(endUserId), ['APPROVED']);
  const { id } = await post('/bank-accounts', {
    ...{ endUserId, country: 'DE', currency: 'EUR' },
    ...{ holderName: 'Ada Sample', holderType: 'INDIVIDUAL' },
    details: { iban: 'DE89370400440532013000' },
  });
  to = { endUserId, bankAccountId: id };
}, 240_000);

interface Told {
  readonly status: string;
  readonly statusDetail?: string;
  readonly reconciliation?: { readonly status: string };
}

/** What every version of a resource says of itself, oldest first, by its events. */
async function story(id: string): Promise<string[]> {
  const { data } = await get<{ data: { data: Told }[] }>(`/events?resourceId=${id}&limit=100`);
  return data
    .reverse()
    .flatMap((one) => [
      one.data.status,
      one.data.statusDetail ?? '',
      one.data.reconciliation?.status ?? '',
    ]);
}

/** Waits until the words have been told in their order; `act` is called before the word that it is for. */
async function untilTold(
  id: string,
  words: readonly string[],
  act: Readonly<Record<string, () => Promise<unknown>>> = {},
): Promise<void> {
  const acts = new Map(Object.entries(act));
  let seen: string[] = [];
  await until(
    () => `${words.join(', ')} of ${id}: ${seen.join(' ')}`,
    async () => {
      seen = await story(id);
      let from = 0;
      for (const word of words) {
        const at = seen.indexOf(word, from);
        if (at < 0) {
          await acts.get(word)?.();
          acts.delete(word);
          return null;
        }
        from = at;
      }
      return true;
    },
    STEP_MS_MAX,
  );
}

const kycOf = async (endUserId: string): Promise<string> =>
  (await get<{ id: string }>(`/end-users/${endUserId}/kyc`)).id;

const pay = async (amount: string, more: object = {}): Promise<string> =>
  (await post('/payments', { ...to, amount, currency: 'EUR', ...more })).id;
const advance = (id: string, body: object) => post(`/sandbox/payments/${id}/advance`, body);
const retry = (id: string) =>
  runOps(
    stack.folder,
    'payments',
    'retry',
    id,
    '--reason',
    'the bank is back',
    '--operator',
    'ada',
  );

/** Arms a fault and has one payment meet it. */
async function payWith(fault: string): Promise<string> {
  const armed = await post<{ left: number }>('/sandbox/faults', { fault });
  expect(armed.left).toBe(1);
  const id = await pay('10.00');
  await until(
    `${fault} to be met`,
    async () => {
      const { data } = await get<{ data: unknown[] }>('/sandbox/faults');
      return data.length === 0 ? true : null;
    },
    STEP_MS_MAX,
  );
  return id;
}

describe('docs/reference/sandbox.md, played row by row', { timeout: 300_000 }, () => {
  it('on payments to banks, by their cents and by faults', async () => {
    const byCents = ['.01', '.02', '.03', '.04', '.05', '.06', '.07'];
    const rows = playsOf<readonly string[]>('Amounts of payments to banks / cents', {
      ...Object.fromEntries(byCents.map((cents) => [cents, [cents]])),
      '-': [],
    });
    const started: [string, readonly string[]][] = [];
    for (const { row } of rows) {
      const words = wordsOf(row.at(-1) ?? '');
      expect(words.length).toBeGreaterThan(0);
      started.push([await payWith(textOf(row[1] ?? '')), words]);
    }
    // Once no fault waits that they could meet.
    for (const { row, play } of rows) {
      for (const cents of play) started.push([await pay(`10${cents}`), wordsOf(row.at(-1) ?? '')]);
    }
    await Promise.all(
      started.map(([id, words]) =>
        untilTold(
          id,
          words,
          words.includes('SETTLEMENT_FAILED') ? { COMPLETED: () => retry(id) } : {},
        ),
      ),
    );
  });

  it('on moving a payment on', async () => {
    const settled = async () => {
      const id = await pay('10.00');
      await untilTold(id, ['COMPLETED']);
      return id;
    };
    const sent = async () => {
      const id = await payWith('UNDECIDED');
      await untilTold(id, ['SENT']);
      return id;
    };
    for (const { row, play } of playsOf('Moving a payment on / to', {
      COMPLETED: sent,
      FAILED: sent,
      RETURNED: settled,
      RECONCILED: settled,
    })) {
      const id = await play();
      const wanted = textOf(row[0] ?? '');
      const takesCode = (row[2] ?? '').includes('railCode');
      await advance(id, { to: wanted, ...(takesCode ? { railCode: 'AC04' } : {}) });
      await untilTold(id, [wanted]);
    }
  });

  it('on wallets, by how their addresses end', async () => {
    const register = (end: string) => ({
      ...{ endUserId: to.endUserId, network: 'BASE', ownership: 'SELF_HOSTED' },
      address: `0x${randomBytes(18).toString('hex')}${end}`,
    });
    const paid = async (end: string) => {
      const wallet = await post('/wallets', register(end));
      const order = { endUserId: to.endUserId, walletId: wallet.id, amount: '5', asset: 'USDC' };
      const { id } = await post('/payments', { ...order, sourceCurrency: 'EUR' });
      return { id, walletId: wallet.id };
    };
    const rows = playsOf('Amounts of payments to wallets / wallet', {
      async bad1(seen: string) {
        const refused = await stack.insist('POST', '/wallets', register('bad1'), {
          ...headers,
          'idempotency-key': randomUUID(),
        });
        expect(seen).toContain(`${String(refused.status)} \`${String(refused.body['error'])}\``);
      },
      async bad2(seen: string) {
        const { id, walletId } = await paid('bad2');
        const words = wordsOf(seen);
        await untilTold(id, words.slice(0, -1));
        await untilTold(walletId, words.slice(-1));
      },
      async bad3(seen: string) {
        const { id } = await paid('bad3');
        await untilTold(id, wordsOf(seen));
        const payment = await get<{ references: { type: string }[] }>(`/payments/${id}`);
        expect(payment.references.map(({ type }) => type)).not.toContain('TX_HASH');
      },
    });
    await Promise.all(rows.map(({ row, play }) => play(row.at(-1) ?? '')));
  });

  it('on amounts of deposits', async () => {
    const rows = playsOf('Amounts of deposits / cents', {
      '.08': '7.08',
      '.09': '7.09',
      other: '7.00',
    });
    const { id: addressId, address } = await post<{ id: string; address: string }>(
      '/deposit-addresses',
      { endUserId: to.endUserId },
    );
    await Promise.all(
      rows.map(async ({ row, play: amount }) => {
        const transfer = { address, network: 'BASE', asset: 'USDC', amount };
        await post('/sandbox/token-deposits', transfer);
        const deposit = await until(
          `a deposit of ${amount}`,
          async () => {
            const path = `/deposits?depositAddressId=${addressId}`;
            const { data } = await get<{ data: { id: string; amount: string }[] }>(path);
            return data.find((one) => one.amount.startsWith(amount));
          },
          STEP_MS_MAX,
        );
        await untilTold(deposit.id, wordsOf(row.at(-1) ?? ''));
      }),
    );
  });

  it('on last names for KYC', async () => {
    const rows = playsOf('Last names for KYC / last name', {
      Reject: 'Reject',
      Resubmit: 'Resubmit',
      Review: 'Review',
      Revoke: 'Revoke',
      'any other': 'Sampleson',
    });
    await Promise.all(
      rows.map(async ({ row, play: lastName }) => {
        const words = wordsOf(row.at(-1) ?? '');
        const endUserId = await addEndUser(lastName);
        const check = await kycOf(endUserId);
        const sendDocuments = () => giveDocuments(endUserId);
        const isAsked = words.includes('RESUBMISSION_REQUIRED');
        await untilTold(check, words, isAsked ? { APPROVED: sendDocuments } : {});
        const { status } = await get<Told>(`/end-users/${endUserId}/kyc`);
        expect(status).toBe(words.at(-1));
      }),
    );
  });

  it('on names of account holders', async () => {
    for (const { row, play } of playsOf('Names of account holders / last word', {
      Closematch: 'Ada Closematch',
      Nomatch: 'Ada Nomatch',
      Unavailable: 'Ada Unavailable',
      'any other': 'Ada Sample',
    })) {
      const account = await post<{ nameCheck: string }>('/bank-accounts', {
        ...{ endUserId: to.endUserId, country: 'GB', currency: 'GBP', rail: 'FPS' },
        ...{ holderName: play, holderType: 'INDIVIDUAL' },
        details: { sortCode: '12-34-56', accountNumber: String(randomInt(1e7, 1e8)) },
      });
      expect(account.nameCheck).toBe(textOf(row.at(-1) ?? ''));
    }
  });
});

/** Sends the documents of the hosted page, as the end-user's browser does. */
async function giveDocuments(endUserId: string): Promise<void> {
  const { link } = await get<{ link: { url: string } }>(`/end-users/${endUserId}/kyc`);
  const visit = async (path: string, type: string, body: Buffer) => {
    const url = `${link.url}${path}`;
    const browser = { origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(url, {
      ...{ method: 'POST', redirect: 'manual', headers: { 'content-type': type, ...browser } },
      body: new Uint8Array(body),
    });
    expect(answer.status).toBe(303);
  };
  const parts = [
    ['PASSPORT', 'a', png(300)],
    ['PROOF_OF_ADDRESS', 'a', pdf()],
  ] as const;
  await visit('/documents', FORM_TYPE, writeForm(parts));
  await visit('/submission', 'application/x-www-form-urlencoded', Buffer.alloc(0));
}
