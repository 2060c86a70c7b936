import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BankTimings } from '../../../src/sandbox/bank/bank-timings.ts';
import { createSandboxBank } from '../../../src/sandbox/bank/sandbox-bank.ts';
import type { SandboxBank } from '../../../src/sandbox/bank/sandbox-bank.ts';
import { startCallbackReceiver } from './callback-receiver.ts';
import type { CallbackReceiver } from './callback-receiver.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const SILENT = { info: () => {}, warn: () => {} };
export const SYSTEM_CLOCK = { now: () => new Date() };

const FAST: BankTimings = {
  decideAfterMs: 20,
  returnAfterMs: 40,
  statementEveryMs: 600_000,
  executeDelayMs: 0,
  callbackSpacingMs: 20,
  callbackFirstMaxMs: 2_000,
  callbacks: { triesMax: 20, firstRetryMs: 5, retryMaxMs: 20, timeoutMs: 2_000 },
};

export interface BankHarness {
  receiver: CallbackReceiver;
  journalFile: string;
  bank(): SandboxBank;
  /** Stops the bank and starts another one on the same journal. */
  restart(timings?: Partial<BankTimings>): Promise<void>;
  put(reference: string, amount: string, over?: object, signal?: AbortSignal): Promise<Response>;
  get(path: string, signal?: AbortSignal): Promise<Response>;
  json(path: string): Promise<Record<string, unknown>>;
  fault(order: object): Promise<Response>;
  close(): Promise<void>;
}

/** A sandbox bank over real HTTP with a receiver for its callbacks and a journal on disk. */
export async function startBankHarness(
  options: { magic?: boolean; timings?: Partial<BankTimings> } = {},
): Promise<BankHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bank-'));
  const journalFile = join(folder, 'bank.jsonl');
  const receiver = await startCallbackReceiver(SECRET);

  async function start(timings: Partial<BankTimings> = {}): Promise<SandboxBank> {
    const started = await createSandboxBank({
      journalFile,
      callbackUrl: receiver.url,
      callbackSecret: SECRET,
      clock: SYSTEM_CLOCK,
      magic: options.magic ?? true,
      timings: { ...FAST, ...options.timings, ...timings },
      log: SILENT,
    });
    await started.listen(0);
    return started;
  }

  let bank = await start();
  return {
    receiver,
    journalFile,
    bank: () => bank,
    async restart(timings) {
      await bank.close();
      bank = await start(timings);
    },
    put: (reference, amount, over = {}, signal) =>
      fetch(`${bank.url}/transfers/${reference}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...transferBody(amount), ...over }),
        signal,
      }),
    get: (path, signal) => fetch(bank.url + path, { signal }),
    json: async (path) => (await (await fetch(bank.url + path)).json()) as Record<string, unknown>,
    fault: (order) =>
      fetch(`${bank.url}/faults`, { method: 'POST', body: JSON.stringify({ count: 1, ...order }) }),
    async close() {
      await bank.close();
      await receiver.close();
      await rm(folder, { recursive: true });
    },
  };
}

export function transferBody(amount: string): Record<string, unknown> {
  return {
    amount,
    currency: 'EUR',
    rail: 'SEPA',
    creditor: {
      name: 'Ada Sample',
      account: { iban: 'DE89370400440532013000' },
      country: 'DE',
    },
    remittance: 'Invoice 7 & <more>',
  };
}
