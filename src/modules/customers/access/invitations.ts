import { randomBytes } from 'node:crypto';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { AnyTransaction, SystemTransaction } from '../../../db/client/database.ts';
import {
  endInvitations,
  findOpenInvitation,
  insertInvitation,
  takeInvitation,
  type OpenInvitation,
} from '../../../db/customers/invitation-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import type { UserRole } from '../../../domain/customers/access/user-rights.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { writeMail } from '../mail/write-mail.ts';
import { keepDevice } from './devices.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { Vault } from '../../../vault/vault.ts';

/** How long an invitation's link is good, in ms. */
const INVITATION_LIFE_MS = 7 * 24 * 3_600_000;

/** 256 bits as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Has this text the form of a link's token? Says nothing of whether there is such an invitation. */
const isInvitationToken = (text: string): boolean => TOKEN.test(text);

const TOKEN_BYTES = 32;

/** What tokens are hashed for. */
const PURPOSE = 'invitation';

export interface InviteDeps {
  readonly vault: KeyedHashes & Pick<Vault, 'seal' | 'sealJson'>;
  readonly clock: Clock;
  /** Where browsers reach the dashboard: links begin with it. */
  readonly dashboardUrl: string;
}

/** An INVITED user, and what the mail tells. */
interface Invited {
  readonly customerId: string;
  readonly customerName: string;
  readonly userId: string;
  readonly address: string;
  readonly role: UserRole;
}

/**
 * Writes a link for an invited user and the mail that brings it; the user's last link is over with that.
 * The token is in the mail and nowhere else. Answers the mail's id. The caller holds the user's lock, or
 * has made the user in this transaction.
 */
export async function sendInvitation(
  deps: InviteDeps,
  tx: AnyTransaction,
  invited: Invited,
): Promise<string> {
  const { token, expiresAt } = await writeInvitation(deps, tx, invited);
  return writeMail(deps, tx, {
    kind: 'INVITATION',
    to: invited.address,
    customerId: invited.customerId,
    facts: {
      company: invited.customerName,
      role: invited.role,
      url: `${deps.dashboardUrl}/verify/${token}`,
      endsAt: expiresAt,
    },
  });
}

/** The same without a mail: the link's token is the caller's to hand over. */
export async function writeInvitation(
  { vault, clock }: VerifyDeps,
  tx: AnyTransaction,
  { customerId, userId }: Pick<Invited, 'customerId' | 'userId'>,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + INVITATION_LIFE_MS);
  await endInvitations(tx, userId, createdAt);
  await insertInvitation(tx, {
    id: newId(ID_PREFIXES.invitation),
    customerId,
    userId,
    tokenHash: vault.keyedHash(PURPOSE, token),
    createdAt,
    expiresAt,
  });
  return { token, expiresAt };
}

interface VerifyDeps {
  readonly vault: KeyedHashes;
  readonly clock: Clock;
}

/** Whom a link is for; null where it is none, used, ended or too old. Changes nothing. */
export async function lookUpInvitation(
  { vault, clock }: VerifyDeps,
  tx: SystemTransaction,
  token: string,
): Promise<OpenInvitation | null> {
  if (!isInvitationToken(token)) return null;
  return findOpenInvitation(tx, vault.keyedHashes(PURPOSE, token), clock.now());
}

/**
 * Uses a link: its user is ACTIVE, the address verified. False where it cannot be used; once true. The device is known
 * from then on: who had the link has the mailbox.
 */
export async function acceptInvitation(
  { vault, clock }: VerifyDeps,
  tx: SystemTransaction,
  token: string,
  device: string | null = null,
): Promise<boolean> {
  if (!isInvitationToken(token)) return false;
  const at = clock.now();
  const taken = await takeInvitation(tx, vault.keyedHashes(PURPOSE, token), at);
  if (taken === null) return false;
  const { userId, customerId } = taken;
  if (device !== null) await keepDevice({ vault, clock }, tx, userId, device);
  await recordAudit(tx, {
    at,
    actor: { kind: 'USER', id: userId },
    action: 'user.verified',
    scope: { customerId, environment: null },
    subject: userId,
    details: {},
  });
  return true;
}
