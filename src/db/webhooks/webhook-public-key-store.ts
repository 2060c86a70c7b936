import type { WebhookPublicKey } from '../../domain/webhooks/public-key.ts';
import type { Database } from '../client/database.ts';

/**
 * The public keys of an endpoint for all who know its id, those that have ended included; null where it
 * has none, is deleted or never was.
 */
export async function findPublicKeys(
  db: Database,
  endpointId: string,
): Promise<readonly WebhookPublicKey[] | null> {
  const rows = await db.query<{ publicKeys: WebhookPublicKey[] }>(
    'SELECT public_keys AS "publicKeys" FROM find_webhook_public_keys($1)',
    [endpointId],
  );
  return rows[0]?.publicKeys ?? null;
}
