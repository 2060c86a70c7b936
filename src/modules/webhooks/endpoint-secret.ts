import type { Vault } from '../../vault/vault.ts';

/** For how long the secret before signs too, unless the request says otherwise. */
export const OVERLAP_HOURS = 24;

interface StoredSecret {
  readonly current: string;
  /** The secret before, and until when it signs beside the current one (ISO 8601). */
  readonly previous?: { readonly secret: string; readonly until: string };
}

/** Seals an endpoint's secret for its row; leaving it elsewhere makes it unreadable. */
export function sealEndpointSecret(vault: Vault, endpointId: string, secret: string): Buffer {
  return seal(vault, endpointId, { current: secret });
}

/**
 * Seals a new secret; the current one signs beside it until `until`, and the one before that no more.
 * A receiver holds one of the two at every moment.
 */
export function sealRotatedSecret(
  vault: Vault,
  endpointId: string,
  sealed: Buffer,
  rotation: { readonly secret: string; readonly until: Date },
): Buffer {
  const { current } = open(vault, endpointId, sealed);
  const previous = { secret: current, until: rotation.until.toISOString() };
  return seal(vault, endpointId, { current: rotation.secret, previous });
}

/** The secrets that sign at a time, newest first. */
export function openEndpointSecrets(
  vault: Vault,
  endpointId: string,
  sealed: Buffer,
  now: Date,
): string[] {
  const { current, previous } = open(vault, endpointId, sealed);
  const isOverlapping = previous !== undefined && now.getTime() < Date.parse(previous.until);
  return isOverlapping ? [current, previous.secret] : [current];
}

function seal(vault: Vault, endpointId: string, secret: StoredSecret): Buffer {
  return vault.sealJson(secret, secretRow(endpointId));
}

function open(vault: Vault, endpointId: string, sealed: Buffer): StoredSecret {
  return vault.openJson<StoredSecret>(sealed, secretRow(endpointId));
}

/** The row that an endpoint's secrets are sealed for. */
export function secretRow(endpointId: string): string {
  return `webhook_endpoints/${endpointId}`;
}
