import type { Vault } from '../vault/vault.ts';

interface StoredSecret {
  readonly current: string;
}

/** Seals an endpoint's secret for its row; leaving it elsewhere makes it unreadable. */
export function sealEndpointSecret(vault: Vault, endpointId: string, secret: string): Buffer {
  return vault.sealJson({ current: secret } satisfies StoredSecret, rowOf(endpointId));
}

/** The secrets that sign now, newest first. */
export function openEndpointSecrets(vault: Vault, endpointId: string, sealed: Buffer): string[] {
  return [vault.openJson<StoredSecret>(sealed, rowOf(endpointId)).current];
}

function rowOf(endpointId: string): string {
  return `webhook_endpoints/${endpointId}`;
}
