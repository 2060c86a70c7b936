import type { Database } from '../db/database.ts';
import { newestEventBody } from '../db/event-list-store.ts';
import { newId } from '../db/new-id.ts';
import { findEndpoint, type WebhookEndpointRow } from '../db/webhook-endpoint-store.ts';
import type { Clock } from '../domain/clock.ts';
import { refuseField } from '../domain/errors/refusal.ts';
import { requireFound } from '../domain/errors/require-found.ts';
import { renderEnvelope, thinEnvelope, type EventDraft } from '../domain/events/envelope.ts';
import { ID_PREFIXES } from '../domain/ids.ts';
import type { Scope } from '../domain/scope.ts';
import { isSuccess, judgeAttempt } from '../domain/webhooks/attempt.ts';
import type { Vault } from '../vault/vault.ts';
import { openEndpointKeys } from './endpoint-keys.ts';
import type { OpenWebhookClient } from './safe-fetch.ts';
import { urlPolicyFor } from './url-rules.ts';
import { webhookHeaders } from './webhook-headers.ts';

export interface TestDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly openClient: OpenWebhookClient;
  readonly allowLoopbackInTest: boolean;
}

/**
 * Sends one signed webhook to an endpoint at once, enabled or not, and tells what came of it: a `ping`, or
 * the newest event of a type under an id of its own. It is no event of the log, and says nothing of the
 * endpoint's health. Refuses with not_found, and for a type of which there is no event.
 */
export async function testEndpoint(
  deps: TestDeps,
  scope: Scope,
  { id, type }: { readonly id: string; readonly type: string },
) {
  const { endpoint, sample } = await deps.db.read(scope, async (tx) => ({
    endpoint: requireFound(await findEndpoint(tx, scope, id)),
    sample: type === 'ping' ? null : await newestEventBody(tx, scope, type),
  }));
  if (type !== 'ping' && sample === null) {
    throw refuseField('resource_not_found', '/type', 'There is no event of this type yet.');
  }
  const eventId = newId(ID_PREFIXES.event);
  const full =
    sample === null
      ? pingBody(endpoint, scope, eventId, deps.clock.now())
      : renamed(sample, eventId);
  const body = endpoint.isThin ? thinEnvelope(full) : full;
  const result = await send(deps, scope, endpoint, { id: eventId, body });
  const at = deps.clock.now();
  const { statusCode, error } = judgeAttempt(0, result, at, 0);
  const answer = result.answer ? result.answer : null;
  return {
    ...{ eventId, type, delivered: isSuccess(result), at: at.toISOString() },
    ...{ durationMs: result.durationMs, statusCode, error, answer },
  };
}

async function send(
  deps: TestDeps,
  scope: Scope,
  endpoint: WebhookEndpointRow,
  { id, body }: { readonly id: string; readonly body: string },
) {
  const now = deps.clock.now();
  const client = deps.openClient({
    policy: urlPolicyFor(scope.environment, deps.allowLoopbackInTest),
    clock: deps.clock,
    connectionsMax: 1,
  });
  try {
    const keys = openEndpointKeys(deps.vault, endpoint, now);
    const message = { id, body, timestampSeconds: Math.floor(now.getTime() / 1_000) };
    return await client.post(endpoint.url, webhookHeaders(keys, message), body);
  } finally {
    await client.close();
  }
}

function pingBody(endpoint: WebhookEndpointRow, scope: Scope, id: string, at: Date): string {
  const ping: EventDraft = {
    type: 'ping',
    resourceType: 'webhook_endpoint',
    resourceId: endpoint.id,
    resourceVersion: endpoint.version,
    data: { id: endpoint.id },
  };
  return renderEnvelope(ping, { id, at, environment: scope.environment });
}

function renamed(body: string, id: string): string {
  return JSON.stringify({ ...(JSON.parse(body) as object), id });
}
