import { randomBytes } from 'node:crypto';
import type { ScopedTransaction } from '../../db/client/database.ts';
import { newId } from '../../db/client/new-id.ts';
import { insertEndpoint } from '../../db/webhooks/webhook-endpoint-store.ts';
import type { Clock } from '../../domain/clock.ts';
import { Refusal } from '../../domain/errors/refusal.ts';
import { ID_PREFIXES } from '../../domain/ids.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Vault } from '../../vault/vault.ts';
import { newKeyPairs } from './endpoint-keys.ts';
import { sealEndpointSecret } from './endpoint-secret.ts';
import { newWebhookSecret } from '../../vault/webhook-signatures/signature.ts';
import { renderWebhookEndpoint } from './webhook-endpoint-view.ts';

/** Endpoints of one scope that are not deleted. */
const ENDPOINTS_MAX = 16;
const EVERYTHING: readonly string[] = ['*'];

interface WebhookEndpointOrder {
  readonly url: string;
  readonly types?: readonly string[];
  readonly description?: string;
  readonly thin?: boolean;
  readonly asymmetric?: boolean;
}

/**
 * Adds an endpoint whose URL has been judged, and answers it with the secret, which is shown this once.
 * Emits no event. Refuses the seventeenth with limit_reached.
 */
export async function createWebhookEndpoint(
  deps: { readonly vault: Vault; readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  order: WebhookEndpointOrder,
) {
  const id = newId(ID_PREFIXES.webhookEndpoint);
  const secret = newWebhookSecret(randomBytes);
  const endpoint = {
    id,
    url: order.url,
    types: [...new Set(order.types ?? EVERYTHING)],
    description: order.description ?? null,
    secret: sealEndpointSecret(deps.vault, id, secret),
    ...newKeyPairs(deps.vault, id, order.asymmetric ?? false),
    isThin: order.thin ?? false,
    at: deps.clock.now(),
  };
  const row = await insertEndpoint(tx, scope, endpoint, ENDPOINTS_MAX);
  if (row === null) {
    const message = `You already have ${String(ENDPOINTS_MAX)} webhook endpoints. Delete one first.`;
    throw new Refusal('limit_reached', message);
  }
  return { ...renderWebhookEndpoint(row, endpoint.at), secret };
}
