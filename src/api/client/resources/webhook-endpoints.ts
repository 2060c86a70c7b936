import type {
  KeyedOptions,
  KeyedVersionedOptions,
  RequestOptions,
  VersionedOptions,
} from '../call-options.ts';
import type {
  CreatedWebhookEndpoint,
  NewWebhookEndpoint,
  NewWebhookReplay,
  RotatedWebhookEndpoint,
  SecretRotation,
  WebhookDelivery,
  WebhookDeliveryInFull,
  WebhookEndpoint,
  WebhookEndpointInFull,
  WebhookEndpointPatch,
  WebhookKeys,
  WebhookReplay,
  WebhookTest,
  WebhookTestResult,
} from '../generated/schemas.ts';
import type { List } from '../list.ts';
import type { Query } from '../operation-types.ts';
import { Resource } from './resource.ts';

/** `causeway.webhookEndpoints`: where events are sent to. */
export class WebhookEndpoints extends Resource {
  /** `secret` of the answer is shown here and never again. */
  create(endpoint: NewWebhookEndpoint, options?: KeyedOptions): Promise<CreatedWebhookEndpoint> {
    return this.api.send('createWebhookEndpoint', { body: endpoint }, options);
  }

  get(webhookEndpointId: string, options?: RequestOptions): Promise<WebhookEndpointInFull> {
    return this.api.send('getWebhookEndpoint', { path: { webhookEndpointId } }, options);
  }

  /** The newest first. */
  list(filters?: Query<'listWebhookEndpoints'>, options?: RequestOptions): List<WebhookEndpoint> {
    return this.api.list('listWebhookEndpoints', { query: filters }, options);
  }

  /** Changes what the patch names. Without `ifVersion` it is not sent again where an answer was lost. */
  update(
    webhookEndpointId: string,
    patch: WebhookEndpointPatch,
    options?: VersionedOptions,
  ): Promise<WebhookEndpoint> {
    const input = { path: { webhookEndpointId }, body: patch };
    return this.api.send('updateWebhookEndpoint', input, options);
  }

  /** For good. What was not delivered is not sent any more. */
  delete(webhookEndpointId: string, options?: VersionedOptions): Promise<void> {
    return this.api.send('deleteWebhookEndpoint', { path: { webhookEndpointId } }, options);
  }

  /** Makes a new secret; the old one signs as well for `overlapHours`. */
  rotateSecret(
    webhookEndpointId: string,
    rotation: SecretRotation = {},
    options?: KeyedVersionedOptions,
  ): Promise<RotatedWebhookEndpoint> {
    const input = { path: { webhookEndpointId }, body: rotation };
    return this.api.send('rotateWebhookSecret', input, options);
  }

  /** Sends a `ping` now and answers what the receiver said. Not sent again where an answer was lost. */
  test(
    webhookEndpointId: string,
    test: WebhookTest = {},
    options?: RequestOptions,
  ): Promise<WebhookTestResult> {
    const input = { path: { webhookEndpointId }, body: test };
    return this.api.send('testWebhookEndpoint', input, options);
  }

  /** What was sent to an endpoint, and what its receiver said. */
  listDeliveries(
    webhookEndpointId: string,
    filters?: Query<'listWebhookDeliveries'>,
    options?: RequestOptions,
  ): List<WebhookDelivery> {
    const input = { path: { webhookEndpointId }, query: filters };
    return this.api.list('listWebhookDeliveries', input, options);
  }

  getDelivery(
    webhookEndpointId: string,
    eventId: string,
    options?: RequestOptions,
  ): Promise<WebhookDeliveryInFull> {
    return this.api.send('getWebhookDelivery', { path: { webhookEndpointId, eventId } }, options);
  }

  /** Sends the events of a span of time again. */
  replay(
    webhookEndpointId: string,
    replay: NewWebhookReplay,
    options?: KeyedOptions,
  ): Promise<WebhookReplay> {
    return this.api.send('replayWebhooks', { path: { webhookEndpointId }, body: replay }, options);
  }

  listReplays(
    webhookEndpointId: string,
    filters?: Query<'listWebhookReplays'>,
    options?: RequestOptions,
  ): List<WebhookReplay> {
    const input = { path: { webhookEndpointId }, query: filters };
    return this.api.list('listWebhookReplays', input, options);
  }

  getReplay(
    webhookEndpointId: string,
    webhookReplayId: string,
    options?: RequestOptions,
  ): Promise<WebhookReplay> {
    const path = { webhookEndpointId, webhookReplayId };
    return this.api.send('getWebhookReplay', { path }, options);
  }

  /** The public keys of an endpoint that is `asymmetric`: what verifies its `v1a` signatures. */
  getKeys(webhookEndpointId: string, options?: RequestOptions): Promise<WebhookKeys> {
    return this.api.send('getWebhookKeys', { path: { webhookEndpointId } }, options);
  }
}
