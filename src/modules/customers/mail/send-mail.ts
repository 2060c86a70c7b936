import type { Database } from '../../../db/client/database.ts';
import {
  endMail,
  expireMail,
  findMailState,
  leaseMail,
  postponeMail,
  type LeasedMail,
  type MailState,
} from '../../../db/customers/mail-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { waitAfterTryMs } from '../../../domain/customers/mail/mail-life.ts';
import type { MailRelay, RelayOutcome } from '../../../domain/customers/mail/mail-relay.ts';
import type { MailStep } from '../../../domain/customers/mail/mail-step.ts';
import type { Vault } from '../../../vault/vault.ts';
import { addressRow, contentsRow } from './mail-rows.ts';
import type { MailContents } from './render-mail.tsx';

/** A try is over before its lease is, whatever the relay does. */
const TRY_MS_MAX = 30_000;
const LEASE_MS = 60_000;

export interface SendMailDeps {
  readonly db: Pick<Database, 'system'>;
  readonly vault: Pick<Vault, 'open' | 'openJson'>;
  readonly clock: Clock;
  readonly relay: MailRelay;
}

/**
 * Tries a mail once, if it is due and no one else is at it. At least once: where a try was cut short, the
 * next one sends it again with the same Message-ID. Never after it has expired.
 */
export async function sendMail(deps: SendMailDeps, id: string): Promise<MailStep> {
  const now = deps.clock.now();
  const leasedUntil = new Date(now.getTime() + LEASE_MS);
  const mail = await deps.db.system((tx) => leaseMail(tx, id, now, leasedUntil));
  if (mail === null) return waitOrEnd(deps, id);
  const outcome = await hand(deps, mail, now);
  return record(deps, mail, outcome);
}

/** No transaction is open meanwhile. */
function hand(deps: SendMailDeps, mail: LeasedMail, now: Date): Promise<RelayOutcome> {
  const { vault, relay } = deps;
  const to = vault.open(mail.address, addressRow(mail.id)).toString('utf8');
  const contents = vault.openJson<MailContents>(mail.contents, contentsRow(mail.id));
  const timeoutMs = Math.min(TRY_MS_MAX, mail.expiresAt.getTime() - now.getTime());
  return relay.send({ id: mail.id, to, ...contents }, timeoutMs);
}

async function record(
  deps: SendMailDeps,
  mail: LeasedMail,
  outcome: RelayOutcome,
): Promise<MailStep> {
  const at = deps.clock.now();
  if (outcome.kind === 'LATER') {
    const waitMs = Math.min(waitAfterTryMs(mail.tries), mail.expiresAt.getTime() - at.getTime());
    const dueAt = new Date(at.getTime() + Math.max(waitMs, 0));
    await deps.db.system((tx) => postponeMail(tx, mail, { dueAt, failure: outcome.code }));
    return { kind: 'WAIT', waitMs: Math.max(waitMs, 0) };
  }
  const end =
    outcome.kind === 'ACCEPTED'
      ? ({ status: 'SENT', failure: null, at } as const)
      : ({ status: 'FAILED', failure: outcome.code, at } as const);
  await deps.db.system((tx) => endMail(tx, mail, end));
  return { kind: 'DONE' };
}

async function waitOrEnd({ db, clock }: SendMailDeps, id: string): Promise<MailStep> {
  const now = clock.now();
  const state = await db.system(async (tx) => {
    await expireMail(tx, id, now);
    return findMailState(tx, id);
  });
  // An old one that is forgotten was over, too.
  if (state?.status !== 'WAITING') return { kind: 'DONE' };
  return { kind: 'WAIT', waitMs: waitOf(state, now) };
}

const WAIT_MS_MIN = 100;

function waitOf({ dueAt, leasedUntil, expiresAt }: MailState, now: Date): number {
  const nextTry = Math.max(dueAt.getTime(), leasedUntil?.getTime() ?? 0);
  // A lease may outlast the mail: it expires when the lease does.
  const wait = leasedUntil === null ? Math.min(nextTry, expiresAt.getTime()) : nextTry;
  return Math.max(wait - now.getTime(), WAIT_MS_MIN);
}
