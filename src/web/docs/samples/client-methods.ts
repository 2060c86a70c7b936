import type { ShownOperation } from '../reference/reference.ts';
import type { ClientMethod } from './typescript.ts';

const PREFIX = /^\/api\/v1\/([a-z-]+)/;

/** What the client calls otherwise than the rule does. */
const NAMED: Readonly<Record<string, string>> = {
  getPaymentTimeline: 'payments.timeline',
  listPaymentBatchItems: 'paymentBatches.listItems',
  startKyc: 'kyc.start',
  getKyc: 'kyc.get',
  rotateWebhookSecret: 'webhookEndpoints.rotateSecret',
  listWebhookDeliveries: 'webhookEndpoints.listDeliveries',
  getWebhookDelivery: 'webhookEndpoints.getDelivery',
  replayWebhooks: 'webhookEndpoints.replay',
  listWebhookReplays: 'webhookEndpoints.listReplays',
  getWebhookReplay: 'webhookEndpoints.getReplay',
  getWebhookKeys: 'webhookEndpoints.getKeys',
  createSandboxDeposit: 'sandbox.createDeposit',
  createSandboxTokenDeposit: 'sandbox.createTokenDeposit',
  decideSandboxKyc: 'sandbox.decideKyc',
  advanceSandboxPayment: 'sandbox.advancePayment',
  createSandboxFault: 'sandbox.createFault',
  listSandboxFaults: 'sandbox.listFaults',
  advanceSandboxClock: 'sandbox.advanceClock',
  getSandboxClock: 'sandbox.getClock',
  getHealth: 'service.health',
  getReady: 'service.ready',
  getOpenApi: 'service.openApi',
};

/**
 * The method of `causeway/client` that sends an operation; null where it has none: callbacks of providers. The
 * property is the resource that the path begins with, the method the verb that the operationId begins with, unless
 * the client calls it otherwise.
 */
export function clientMethodOf({ id, path, tag }: ShownOperation): ClientMethod | null {
  if (tag === 'Provider callbacks') return null;
  const named = NAMED[id]?.split('.');
  if (named !== undefined) return { resource: named[0] ?? '', method: named[1] ?? '' };
  const [, segment] = PREFIX.exec(path) ?? [];
  if (segment === undefined) return null;
  const resource = camel(segment);
  const [, verb = id, about = ''] = /^([a-z]+)(.*)$/.exec(id) ?? [];
  const nouns = [capital(resource), capital(singular(resource))];
  return { resource, method: nouns.includes(about) ? verb : verb + about };
}

const camel = (text: string): string =>
  text.replaceAll(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const singular = (text: string): string => text.replace(/(?<=ch|ss)es$|s$/, '');
