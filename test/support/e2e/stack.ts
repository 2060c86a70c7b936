import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import type { DevState } from '../../../src/cli/dev/dev-stack.ts';
import { expectDocumented } from '../documented-answers.ts';
import { START_FAILURE } from '../stack-environment.ts';
import { until } from '../until.ts';

export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly body: Body;
}

export interface Seen {
  readonly id: string;
  readonly status: string;
  readonly statusDetail: string;
  readonly references: readonly { readonly type: string; readonly value: string }[];
}

export interface Beneficiary {
  readonly endUserId: string;
  readonly bankAccountId: string;
}

export type Part = 'api' | 'worker' | 'chain' | 'sandbox' | 'postgres' | 'temporal';

/** Who is paid, plainly made up and found nowhere else, so that any trace of it is a leak. */
export const PLANTED = {
  firstName: 'Plantedfirst',
  lastName: 'Plantedlast',
  holderName: 'Plantedholder Sample',
  iban: 'DE89370400440532013000',
  reference: 'Planted remittance 5521',
  metadata: 'planted-metadata-5521',
};

/** PostgreSQL, Temporal and three programs, on a machine that runs other tests meanwhile. */
const STACK_START_MS_MAX = 170_000;

function documented<Body>(
  [method, path]: readonly [string, string, ...unknown[]],
  answer: Answer<Body>,
): Answer<Body> {
  const { status, text: body } = answer;
  const headers = Object.fromEntries(answer.headers);
  expectDocumented({ method, url: `/api/v1${path}`, status, headers, body });
  return answer;
}

/** The local stack of the file's project, as partners and operators see it. */
export function openStack(folder: string = inject('stackFolder')) {
  // Read anew each time: a part that was restarted has another process id.
  const state = () => JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as DevState;

  async function ask<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const { apiUrl, testApiKey } = state();
    const answer = await fetch(`${apiUrl}/api/v1${path}`, {
      method,
      signal: AbortSignal.timeout(60_000),
      headers: {
        authorization: `Bearer ${testApiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      text,
      headers: answer.headers,
      body: (text === '' ? {} : JSON.parse(text)) as Body,
    };
  }

  /** One request, whose answer must be as docs/openapi.json has it. */
  async function call<Body = Record<string, unknown>>(
    ...request: Parameters<typeof ask>
  ): Promise<Answer<Body>> {
    return documented(request, await ask<Body>(...request));
  }

  /** As a partner's program does: anything but an answer below 500 is asked again. */
  async function insist<Body = Record<string, unknown>>(
    ...request: Parameters<typeof ask>
  ): Promise<Answer<Body>> {
    const answered = await until(`an answer to ${request[0]} ${request[1]}`, async () => {
      const answer = await ask<Body>(...request).catch(() => null);
      return answer !== null && answer.status < 500 && answer.status !== 409 ? answer : null;
    });
    return documented(request, answered);
  }

  /** As a superuser. Its connection keeps no process running. */
  let database: pg.Pool | undefined;
  function openDatabase(): pg.Pool {
    const connectionString = state().databaseUrl;
    const pool = new pg.Pool({ connectionString, max: 1, allowExitOnIdle: true });
    pool.on('error', () => undefined);
    return pool;
  }

  const stack = {
    folder,
    state,
    call,
    insist,

    async addBeneficiary(): Promise<Beneficiary> {
      const { body: endUser } = await insist<{ id: string }>('POST', '/end-users', {
        type: 'INDIVIDUAL',
        individual: { firstName: PLANTED.firstName, lastName: PLANTED.lastName },
      });
      await insist('POST', `/end-users/${endUser.id}/kyc`, {});
      await until('KYC approval', async () => {
        const { body } = await insist('GET', `/end-users/${endUser.id}`);
        return body['kycStatus'] === 'APPROVED' ? true : null;
      });
      const { body: account } = await insist<{ id: string }>('POST', '/bank-accounts', {
        endUserId: endUser.id,
        country: 'DE',
        currency: 'EUR',
        holderName: PLANTED.holderName,
        holderType: 'INDIVIDUAL',
        details: { iban: PLANTED.iban },
      });
      return { endUserId: endUser.id, bankAccountId: account.id };
    },

    order: (to: Beneficiary, amount: string) => ({
      ...to,
      amount,
      currency: 'EUR',
      reference: PLANTED.reference,
      metadata: { note: PLANTED.metadata },
    }),

    /** One POST, whose answer is handed back whatever it is. */
    post: (to: Beneficiary, amount: string, key: string = randomUUID()) =>
      call<Seen>('POST', '/payments', stack.order(to, amount), { 'idempotency-key': key }),

    /** Posts until it is accepted, under one key, and answers the payment's id. */
    async pay(to: Beneficiary, amount: string, key: string = randomUUID()): Promise<string> {
      const headers = { 'idempotency-key': key };
      const answer = await insist<Seen>('POST', '/payments', stack.order(to, amount), headers);
      if (answer.status !== 201) throw new Error(`not accepted: ${answer.text}`);
      return answer.body.id;
    },

    /** Pays USDC on Base from the balance in EUR, to a wallet that no one has had. The payment's id. */
    async payWallet(endUserId: string, amount: string): Promise<string> {
      const address = `0x${randomBytes(20).toString('hex')}`;
      const wallet = { endUserId, network: 'BASE', address, ownership: 'SELF_HOSTED' };
      const registered = await insist<{ id: string }>('POST', '/wallets', wallet, {
        'idempotency-key': address,
      });
      const order = { endUserId, walletId: registered.body.id, amount, asset: 'USDC' };
      const answer = await insist<{ id: string }>(
        'POST',
        '/payments',
        { ...order, sourceCurrency: 'EUR' },
        { 'idempotency-key': `pay-${address}` },
      );
      if (answer.status !== 201) throw new Error(`not accepted: ${answer.text}`);
      return answer.body.id;
    },

    payment: async (id: string) => (await insist<Seen>('GET', `/payments/${id}`)).body,

    /** Waits for one of the given statuses. */
    async untilPayment(id: string, wanted: string | string[], timeoutMs = 120_000): Promise<Seen> {
      let last = 'never seen';
      return until(
        () => `${String(wanted)} of ${id}, which is ${last}`,
        async () => {
          const seen = await stack.payment(id);
          last = `${seen.status}/${seen.statusDetail}`;
          return [wanted].flat().includes(seen.status) ? seen : null;
        },
        timeoutMs,
      );
    },

    /** The end-to-end reference under which a payment went to the bank, once it has one. */
    referenceOf: (id: string): Promise<string> =>
      until('a reference', async () => {
        const { references } = await stack.payment(id);
        return references.find((one) => one.type === 'END_TO_END_ID')?.value;
      }),

    /** What the bank's own journal says of a reference. */
    async journal(reference: string) {
      const answer = await fetch(`${state().bankUrl}/journal?reference=${reference}`);
      return (await answer.json()) as {
        executed: { count: number };
        returned: { count: number };
        facts: { fact: string }[];
      };
    },

    async fault(fault: string, more: object = {}): Promise<void> {
      const body = JSON.stringify({ fault, count: 1, ...more });
      await fetch(`${state().bankUrl}/faults`, { method: 'POST', body });
    },

    pidOf(part: Part): number {
      const pid = state().pids[part];
      if (typeof pid !== 'number') throw new Error(`${part} does not run`);
      return pid;
    },

    signal: (part: Part, signal: NodeJS.Signals) => process.kill(stack.pidOf(part), signal),

    /** kill -9; resolves once the stack has started the part again. */
    async kill(part: Part): Promise<void> {
      const before = stack.pidOf(part);
      process.kill(before, 'SIGKILL');
      await until(`${part} to run again`, () => {
        const { [part]: now } = state().pids;
        return typeof now === 'number' && now !== before ? true : null;
      });
    },

    /** Until everything answers, Temporal included. The stack may still be starting. */
    async untilReady(): Promise<void> {
      await until(
        'readiness',
        async () => {
          if (existsSync(join(folder, START_FAILURE))) {
            throw new Error(readFileSync(join(folder, START_FAILURE), 'utf8'));
          }
          if (!existsSync(join(folder, 'state.json'))) return null;
          const answer = await fetch(`${state().apiUrl}/ready`).catch(() => null);
          const body = (await answer?.json()) as { checks?: { temporal?: string } } | undefined;
          return body?.checks?.temporal === 'ok' ? true : null;
        },
        STACK_START_MS_MAX,
      );
    },

    async sql(text: string, values: unknown[] = []) {
      database ??= openDatabase();
      return (await database.query<Record<string, unknown>>(text, values)).rows;
    },

    pause,
  };
  return stack;
}

export type Stack = ReturnType<typeof openStack>;
