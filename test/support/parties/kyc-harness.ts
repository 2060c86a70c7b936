import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { KycCheckRef } from '../../../src/domain/workflows/work-refs.ts';
import { saveKycOpening } from '../../../src/db/parties/kyc-check-store.ts';
import type { KycAsk } from '../../../src/domain/parties/kyc/document-asks.ts';
import { kycCheckRow } from '../../../src/modules/parties/kyc/kyc-link.ts';
import { signWebhook } from '../../../src/vault/webhook-signatures/signature.ts';
import { addApiKey, addCustomer } from '../test-customer.ts';
import { createTestApp, testSettings, type TestApp, type TestAppOverrides } from '../test-app.ts';

const secretOf = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`;

/** What the two environments' sandbox providers sign with: plainly fake. */
export const SECRETS = { test: secretOf('t'), live: secretOf('l') } as const;

export interface KycHarness extends TestApp {
  /** Workflows that were started and wakes that were sent, in order. */
  readonly started: KycCheckRef[];
  readonly restarted: KycCheckRef[];
  readonly wakes: { check: KycCheckRef; reportId: string }[];
  post(
    path: string,
    payload?: object,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  get(path: string, token?: string): Promise<LightMyRequestResponse>;
  addEndUser(lastName?: string, headers?: Record<string, string>): Promise<string>;
  /** A key of the same customer's live environment, or of another customer. */
  addKey(environment: 'test' | 'live', customerId?: string): Promise<string>;
  /** Sends a callback, signed as the test provider would unless told otherwise. */
  callBack(body: object | string, signed?: Partial<Signature>): Promise<LightMyRequestResponse>;
  /** Opens a check as its provider would, which asks for documents or not. */
  giveProviderUrl(kycCheckId: string, url: string, asks?: readonly KycAsk[]): Promise<void>;
  eventTypes(resourceId: string): Promise<string[]>;
}

interface Signature {
  readonly id: string;
  readonly secret: string;
  readonly at: Date;
}

const inject = (app: TestApp['app'], options: InjectOptions): Promise<LightMyRequestResponse> =>
  app.inject(options);

export async function createKycHarness(
  secrets: Partial<Record<'test' | 'live', string>> = SECRETS,
  overrides: Pick<TestAppOverrides, 'logger'> & { readonly publicUrl?: string } = {},
): Promise<KycHarness> {
  const { publicUrl, ...logging } = overrides;
  const started: KycCheckRef[] = [];
  const restarted: KycCheckRef[] = [];
  const wakes: { check: KycCheckRef; reportId: string }[] = [];
  const idle = async (): Promise<void> => undefined;
  const harness = await createTestApp({
    ...logging,
    settings: testSettings({
      kycCallbackSecrets: secrets,
      ...(publicUrl !== undefined && { publicUrl }),
    }),
    workflows: {
      startPayment: idle,
      restartPayment: idle,
      startPaymentBatch: async () => undefined,
      restartKycCheck: async (check) => void restarted.push(check),
      wakePayment: idle,
      wakeEndpoint: idle,
      startScreening: idle,
      startMail: idle,
      wakeOnboarding: idle,
      startChain: idle,
      wakeChain: idle,
      startDeposits: idle,
      wakeDeposits: idle,
      startKycCheck: async (check) => void started.push(check),
      wakeKycCheck: async (check, reportId) => void wakes.push({ check, reportId }),
    },
  });
  let callbacks = 0;
  const post: KycHarness['post'] = (path, payload, headers = {}) =>
    inject(harness.app, {
      method: 'POST',
      url: `/api/v1${path}`,
      headers: { ...harness.headers, ...headers },
      payload,
    });

  return {
    ...harness,
    started,
    restarted,
    wakes,
    post,
    get: (path, token = harness.token) =>
      inject(harness.app, {
        method: 'GET',
        url: `/api/v1${path}`,
        headers: { authorization: `Bearer ${token}` },
      }),
    async addEndUser(lastName = 'Sample', headers = {}) {
      const individual = { firstName: 'Ada', lastName };
      return (await post('/end-users', { type: 'INDIVIDUAL', individual }, headers)).json().id;
    },
    async addKey(environment, customer) {
      return harness.database.db.system(async (tx) => {
        const customerId = customer ?? (await addCustomer(tx));
        const approvedRanges = environment === 'live' ? ['127.0.0.1/32'] : [];
        const overrides = { customerId, environment, approvedRanges };
        return (await addApiKey(tx, harness.vault, overrides)).token;
      });
    },
    callBack(body, signed = {}) {
      callbacks += 1;
      const {
        id = `msg_${String(callbacks)}`,
        secret = SECRETS.test,
        at = harness.clock.now(),
      } = signed;
      const payload = typeof body === 'string' ? body : JSON.stringify(body);
      const timestampSeconds = Math.floor(at.getTime() / 1000);
      return inject(harness.app, {
        method: 'POST',
        url: '/api/v1/kyc/callbacks',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(timestampSeconds),
          'webhook-signature': signWebhook(secret, { id, timestampSeconds, body: payload }),
        },
        payload,
      });
    },
    async giveProviderUrl(kycCheckId, url, documentsAsked = []) {
      const sealed = harness.vault.seal(Buffer.from(url), kycCheckRow(kycCheckId));
      await harness.database.db.write(harness.scope, (tx) =>
        saveKycOpening(tx, harness.scope, kycCheckId, { providerUrl: sealed, documentsAsked }),
      );
    },
    async eventTypes(resourceId) {
      const rows = await harness.database.db.system((tx) =>
        tx.query<{ type: string }>(
          'SELECT type FROM events WHERE resource_id = $1 ORDER BY resource_version',
          [resourceId],
        ),
      );
      return rows.map((row) => row.type);
    },
  };
}
