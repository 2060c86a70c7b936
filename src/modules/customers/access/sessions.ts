import { randomBytes } from 'node:crypto';
import { newId } from '../../../db/client/new-id.ts';
import type { Asking } from '../../../db/customers/login-challenge-store.ts';
import {
  findSession,
  insertSession,
  type SessionRow,
} from '../../../db/customers/session-store.ts';
import type { OperatorRole } from '../../../domain/customers/access/operator-rights.ts';
import type { Person } from '../../../domain/customers/access/person.ts';
import type { Surface } from '../../../domain/customers/access/rights.ts';
import { SESSION_LIVES, SESSIONS_MAX } from '../../../domain/customers/access/session-life.ts';
import type { UserRole } from '../../../domain/customers/access/user-rights.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { Vault } from '../../../vault/vault.ts';
import { personNameRow } from '../../../domain/customers/access/person-rows.ts';

export const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const MINUTE_MS = 60_000;

interface SessionDeps {
  readonly vault: KeyedHashes & Pick<Vault, 'open'>;
  readonly clock: Clock;
}

interface FindPersonDeps extends SessionDeps {
  /** Operators must have a passkey: the setting OPS_PASSKEY. A customer's rule is its owners' to make. */
  readonly operatorsNeedPasskeys: boolean;
}

/**
 * Opens a session of a person and answers its token, which is kept nowhere: the browser alone has it.
 * Null where the person is not ACTIVE on that surface. Of more than five the oldest ends.
 */
export async function openSession(
  { vault, clock }: SessionDeps,
  db: Asking,
  session: { readonly surface: Surface; readonly personId: string; readonly browser: string },
): Promise<string | null> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const { idleMinutes, absoluteMinutes } = SESSION_LIVES[session.surface];
  const at = clock.now();
  const isOpen = await insertSession(db, {
    ...session,
    id: newId(ID_PREFIXES.session),
    tokenHash: hashToken(vault, session.surface, token),
    idleMinutes,
    at,
    expiresAt: new Date(at.getTime() + absoluteMinutes * MINUTE_MS),
    most: SESSIONS_MAX,
  });
  return isOpen ? token : null;
}

/** Who is logged in by a token; null where no session of it holds. Looked up anew at each request. */
export async function findPerson(
  { vault, clock, operatorsNeedPasskeys }: FindPersonDeps,
  db: Asking,
  surface: Surface,
  token: string,
  isUse: boolean,
): Promise<Person | null> {
  if (!TOKEN.test(token)) return null;
  const key = { surface, tokenHashes: vault.keyedHashes(purposeOf(surface), token) };
  const row = await findSession(db, key, clock.now(), isUse);
  return row === null ? null : toPerson(vault, row, operatorsNeedPasskeys);
}

/** What a session is found by; the token itself is kept nowhere. Of one token, another one on each surface. */
export const hashToken = (vault: KeyedHashes, surface: Surface, token: string): Buffer =>
  vault.keyedHash(purposeOf(surface), token);

const purposeOf = (surface: Surface): string => `session:${surface}`;

function toPerson(
  vault: Pick<Vault, 'open'>,
  row: SessionRow,
  operatorsNeedPasskeys: boolean,
): Person {
  const id = row.userId ?? row.operatorId ?? '';
  const isRequired = row.customerId === null ? operatorsNeedPasskeys : row.requiresPasskeys;
  const common = {
    id,
    sessionId: row.sessionId,
    name: vault.open(row.name, personNameRow(id)).toString(),
    timeZone: row.timeZone,
    theme: row.theme,
    passkey: { isRequired, hasOne: row.hasPasskey },
  };
  if (row.customerId === null) {
    const isConfirmed = row.isConfirmed === true;
    return { kind: 'OPERATOR', ...common, role: row.role as OperatorRole, isConfirmed };
  }
  const customer = {
    id: row.customerId,
    name: row.customerName ?? '',
    isSuspended: row.customerStatus !== 'ACTIVE',
    hasLiveAccess: row.hasLiveAccess === true,
    hadLiveAccess: row.hadLiveAccess === true,
  };
  return { kind: 'USER', ...common, role: row.role as UserRole, customer };
}
