import type { Role, Surface } from '../../domain/customers/access/rights.ts';
import type { Theme } from '../../domain/customers/access/person.ts';
import type { Asking } from './login-challenge-store.ts';

interface NewSession {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly surface: Surface;
  /** `usr_...` on the dashboard, `opr_...` in the console. */
  readonly personId: string;
  /** As "Firefox on Linux". */
  readonly browser: string;
  readonly idleMinutes: number;
  readonly at: Date;
  readonly expiresAt: Date;
  /** Sessions that the person may have then; older ones end. */
  readonly most: number;
}

/** Opens a session; false where the person is not ACTIVE on that surface. */
export async function insertSession(
  db: Asking,
  { idleMinutes, ...session }: NewSession,
): Promise<boolean> {
  const [row] = await db.query<{ id: string | null }>(
    `SELECT open_session(:id, :tokenHash, :surface, :personId, :browser, :idle, :at, :expiresAt, :most) AS id`,
    { ...session, idle: `${String(idleMinutes)} minutes` },
  );
  return typeof row?.id === 'string';
}

/** A session that holds, and whose it is. The name is sealed. */
export interface SessionRow {
  readonly sessionId: string;
  readonly userId: string | null;
  readonly operatorId: string | null;
  readonly name: Buffer;
  readonly role: Role;
  readonly timeZone: string;
  readonly theme: Theme;
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly customerStatus: 'ACTIVE' | 'SUSPENDED' | null;
  readonly hasLiveAccess: boolean | null;
  /** Now or once. */
  readonly hadLiveAccess: boolean | null;
  /** The customer's rule; false for operators, whose rule is a setting. */
  readonly requiresPasskeys: boolean;
  readonly hasPasskey: boolean;
  /** Null for a customer's user. */
  readonly isConfirmed: boolean | null;
}

/** The session of a token; null where there is none that holds. `isUse` keeps it from being idle. */
export async function findSession(
  db: Asking,
  key: { readonly surface: Surface; readonly tokenHashes: readonly Buffer[] },
  at: Date,
  isUse: boolean,
): Promise<SessionRow | null> {
  const rows = await db.query<SessionRow>(
    `SELECT session_id AS "sessionId", user_id AS "userId", operator_id AS "operatorId", name, role,
       time_zone AS "timeZone", theme, customer_id AS "customerId", customer_name AS "customerName",
       customer_status AS "customerStatus", live_access AS "hasLiveAccess",
       requires_passkeys AS "requiresPasskeys", has_passkey AS "hasPasskey",
       had_live_access AS "hadLiveAccess", is_confirmed AS "isConfirmed"
     FROM unnest(:tokenHashes::bytea[]) AS token (hash),
       find_session(:surface, token.hash, :at, :isUse)`,
    { surface: key.surface, tokenHashes: [...key.tokenHashes], at, isUse },
  );
  return rows[0] ?? null;
}
