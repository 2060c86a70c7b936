import { startEngine, type Engine } from '../engine/engine.ts';
import { openPayers, type Payer } from '../load/payer.ts';
import { storePayments } from '../load/store-payments.ts';
import { postPayments, type Accepted } from '../load/post-payments.ts';
import { untilAnnounced } from '../load/until-announced.ts';
import { startBank, type BenchBank } from '../peers/bank.ts';
import { startReceiver, type BenchReceiver } from '../peers/receiver.ts';
import { engineParts } from '../processes/engine-parts.ts';
import { readUsage, type Part, type PartUsage } from '../processes/usage.ts';
import type { RunScope } from '../scope.ts';
import type { RunOptions } from './run-options.ts';

/** An engine with the bench's bank and receiver around it, warm, and clients that pay. */
export interface PayoutStage {
  readonly engine: Engine;
  readonly bank: BenchBank;
  readonly receiver: BenchReceiver;
  readonly payers: readonly Payer[];
  readonly parts: readonly Part[];
}

/** What a measured load left behind; moments by `nowMs`. */
export interface PayoutLoad {
  readonly accepted: readonly Accepted[];
  /** When the bank answered each transfer, in order. */
  readonly settledAtMs: readonly number[];
  /** When `payment.completed` first arrived, by payment. */
  readonly announcedAtMs: ReadonlyMap<string, number>;
  readonly before: readonly PartUsage[];
  readonly after: readonly PartUsage[];
}

/**
 * Starts everything; the scope ends it. `databaseUrl`: of a database that is not the engine's own, and `ownerUrl`, past
 * what stands before it.
 */
export async function openPayoutStage(
  scope: RunScope,
  options: RunOptions,
  databaseUrl?: string,
  ownerUrl = databaseUrl,
): Promise<PayoutStage> {
  const { clients, customers, say } = options;
  const bank = await startBank(scope);
  const receiver = await startReceiver(scope);
  say('starting the engine');
  const settings = { bankUrl: bank.url, roles: options.roles };
  const engine = await startEngine(scope, options.folder, { ...settings, databaseUrl });
  say('adding customers, end-users and bank accounts');
  const webhookUrl = `${receiver.url}/webhooks`;
  const payers = await openPayers(scope, engine, { clients, customers, webhookUrl });
  const stage: PayoutStage = {
    ...{ engine, bank, receiver, payers },
    parts: [
      ...engineParts(engine.state),
      { name: 'bank', pid: bank.pid },
      { name: 'receiver', pid: receiver.pid },
      // The engine is a descendant of ours.
      { name: 'clients', pid: process.pid, isAlone: true },
    ],
  };
  say('warming up');
  await postPayments(payers, { payments: options.warmUp }, scope.signal);
  await untilAnnounced(receiver, 'payment.completed', options.warmUp, scope.signal);
  if (options.stored > 0) {
    say(`storing ${String(options.stored)} payments`);
    await storePayments(ownerUrl ?? engine.state.databaseUrl, options.stored);
  }
  return stage;
}

/** Puts the load on, and waits until every payment is settled and announced. */
export async function runPayouts(
  scope: RunScope,
  stage: PayoutStage,
  { end, say }: Pick<RunOptions, 'end' | 'say'>,
): Promise<PayoutLoad> {
  const { bank, receiver, payers, parts } = stage;
  await receiver.forget();
  const settledBefore = (await bank.report()).settledAtMs.length;
  const before = readUsage(parts);
  say('posting payments');
  const accepted = await postPayments(payers, end, scope.signal);
  say(`waiting until ${String(accepted.length)} payments are announced`);
  await untilAnnounced(receiver, 'payment.completed', accepted.length, scope.signal);
  const after = readUsage(parts);
  const { arrivals } = await receiver.arrivals();
  const completed = arrivals.filter(({ type }) => type === 'payment.completed');
  const { settledAtMs } = await bank.report();
  const load = {
    ...{ accepted, before, after },
    settledAtMs: settledAtMs.slice(settledBefore),
    announcedAtMs: new Map(completed.map(({ resourceId, atMs }) => [resourceId, atMs])),
  };
  assertComplete(load);
  return load;
}

/** Each payment went to the bank once, and was announced. */
function assertComplete({ accepted, settledAtMs, announcedAtMs }: PayoutLoad): void {
  const missing = accepted.filter(({ id }) => !announcedAtMs.has(id));
  if (missing.length > 0) throw new Error(`${String(missing.length)} payments were not announced`);
  if (settledAtMs.length === accepted.length) return;
  const [bank, api] = [String(settledAtMs.length), String(accepted.length)];
  throw new Error(`the bank settled ${bank} transfers of ${api} payments`);
}

/** How many payments are looked at over the API as well. */
const LOOKED_AT = 20;

/** Throws where the API does not show the newest payments of the first client's customer as COMPLETED. */
export async function assertCompleted({ payers }: PayoutStage): Promise<void> {
  const [payer] = payers;
  if (payer === undefined) return;
  const path = `/payments?limit=${String(LOOKED_AT)}`;
  const { data } = await payer.api.call<{ data: { id: string; status: string }[] }>('GET', path);
  const open = data.find(({ status }) => status !== 'COMPLETED');
  if (open !== undefined) throw new Error(`${open.id} is ${open.status}`);
}
