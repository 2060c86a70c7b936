import { randomBytes } from 'node:crypto';
import type { SystemTransaction } from '../../../db/client/database.ts';
import {
  findAddressChange,
  lockActivePerson,
  takeAddressChange,
  type AddressChange,
  type AddressLink,
} from '../../../db/customers/own-settings-store.ts';
import type { Surface } from '../../../domain/customers/access/rights.ts';
import type { LoginDeps } from './ask-for-code.ts';

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
export const LINK_LIFE_MS = 7 * 24 * 3_600_000;

/** A link that is used, and the browser that uses it: it is known from then on, because who had the link has the mailbox. */
export interface UsedLink {
  readonly surface: Surface;
  readonly token: string;
  readonly device: string;
}

/** What a link does: it gives a person the new address, or leaves them the old one. */
type LinkAct = AddressLink['does'];

const PURPOSES = { CONFIRM: 'address-change', CANCEL: 'address-keep' } as const;

export const newLinkToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** What a link is found by; its token is in the mail and nowhere else. */
export const hashLink = ({ vault }: LoginDeps, does: LinkAct, token: string): Buffer =>
  vault.keyedHash(PURPOSES[does], token);

const linkOf = (deps: LoginDeps, does: LinkAct, surface: Surface, token: string): AddressLink => ({
  does,
  tokenHashes: deps.vault.keyedHashes(PURPOSES[does], token),
  idPrefix: surface === 'dashboard' ? 'usr' : 'opr',
});

/** Is a link of that token good on that surface? Looking at it does not use it. */
export async function isAddressLink(
  deps: LoginDeps,
  does: LinkAct,
  surface: Surface,
  token: string,
): Promise<boolean> {
  if (!TOKEN.test(token)) return false;
  const link = linkOf(deps, does, surface, token);
  return deps.db.system(
    async (tx) => (await findAddressChange(tx, link, deps.clock.now())) !== null,
  );
}

/**
 * Uses a link, once, under the lock of its person: what ends the change locks them first, too. Null where it is
 * over.
 */
export async function takeLink(
  deps: LoginDeps,
  tx: SystemTransaction,
  does: LinkAct,
  surface: Surface,
  token: string,
): Promise<AddressChange | null> {
  if (!TOKEN.test(token)) return null;
  const link = linkOf(deps, does, surface, token);
  const at = deps.clock.now();
  const personId = await findAddressChange(tx, link, at);
  if (personId === null) return null;
  await lockActivePerson(tx, personId);
  return takeAddressChange(tx, link, at);
}
