import type { Database } from '../../db/client/database.ts';
import {
  readDueDeliveries,
  readNewestStatements,
  readOpenExceptions,
  readOpenNonces,
  readOpenPayments,
  readSignerAccounts,
  readUnsealedSince,
  readWaitingMails,
  type StatementOrigins,
} from '../../db/operations/progress-store.ts';
import { readWaiting, WAITING_KINDS } from '../../db/operations/waiting-store.ts';
import { ENVIRONMENTS } from '../../domain/scope.ts';
import type { GaugeValue } from './metrics.ts';

/** What waits, and for how long, from one transaction that reads: a few statements over indexes. */
export function readProgress(
  db: Pick<Database, 'system'>,
  origins: readonly StatementOrigins[],
  now: Date,
): Promise<GaugeValue[]> {
  const age = (since: Date | null): number =>
    since === null ? 0 : Math.max(0, now.getTime() - since.getTime()) / 1_000;
  return db.system(async (tx) => {
    const payments = await readOpenPayments(tx);
    const deliveries = await readDueDeliveries(tx, now);
    const exceptions = await readOpenExceptions(tx);
    const waiting = await readWaiting(tx, now);
    const nonces = await readOpenNonces(tx);
    const accounts = await readSignerAccounts(tx);
    const mails = await readWaitingMails(tx);
    const statements = await readNewestStatements(tx, origins);
    const unsealed = await readUnsealedSince(tx);
    return [
      ...payments.flatMap(({ environment, status, state, count, oldest }) => {
        const labels = { environment, status, state };
        return both('openPayments', 'openPaymentOldest', labels, count, age(oldest));
      }),
      ...ENVIRONMENTS.flatMap((environment) => {
        const unsure = payments.filter((row) => row.environment === environment && row.unknown > 0);
        const count = unsure.reduce((sum, { unknown }) => sum + unknown, 0);
        const oldest = Math.max(0, ...unsure.map(({ unknownSince }) => age(unknownSince)));
        return both('unknownOutcomes', 'unknownOutcomeOldest', { environment }, count, oldest);
      }),
      ...ENVIRONMENTS.flatMap((environment): GaugeValue[] => {
        const row = deliveries.find((one) => one.environment === environment);
        const labels = { environment };
        const dueMs = row?.dueSince ?? null;
        return [
          { gauge: 'deliveryOldest', labels, value: age(dueMs) },
          ...both(
            ...(['failingEndpoints', 'failingEndpointOldest', labels] as const),
            ...([row?.count ?? 0, age(row?.oldest ?? null)] as const),
          ),
        ];
      }),
      ...exceptions.flatMap(({ environment, kind, count, oldest }) =>
        both(
          ...(['openExceptions', 'openExceptionOldest', { environment, kind }] as const),
          ...([count, age(oldest)] as const),
        ),
      ),
      ...WAITING_KINDS.flatMap((kind) => {
        const row = waiting.find((one) => one.kind === kind);
        return both(
          'waiting',
          'waitingOldest',
          { kind },
          row?.count ?? 0,
          age(row?.oldest ?? null),
        );
      }),
      ...nonces.flatMap(({ environment, network, count, oldest }) =>
        both('openNonces', 'openNonceOldest', { environment, network }, count, age(oldest)),
      ),
      ...accounts.map(({ environment, network, status, count }): GaugeValue => ({
        ...{ gauge: 'signerAccounts', labels: { environment, network, status }, value: count },
      })),
      ...both('waitingMails', 'waitingMailOldest', {}, mails.count, age(mails.oldest)),
      ...statements.map(({ environment, connector, listedAt }): GaugeValue => ({
        ...{ gauge: 'statementAge', labels: { environment, connector }, value: age(listedAt) },
      })),
      { gauge: 'unsealedOldest', labels: {}, value: age(unsealed) },
    ];
  });
}

/** A count, and the age of the oldest. */
function both(
  counted: GaugeValue['gauge'],
  oldest: GaugeValue['gauge'],
  labels: Readonly<Record<string, string>>,
  count: number,
  ageSeconds: number,
): readonly GaugeValue[] {
  return [
    { gauge: counted, labels, value: count },
    { gauge: oldest, labels, value: ageSeconds },
  ];
}
