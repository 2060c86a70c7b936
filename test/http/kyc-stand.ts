import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { KycCheckRef } from '../../activities/types.ts';
import { saveProviderUrl } from '../../src/db/kyc-check-store.ts';
import { kycCheckRow } from '../../src/kyc/kyc-link.ts';
import { signWebhook } from '../../src/webhooks/signature.ts';
import { addApiKey, addCustomer } from '../support/test-customer.ts';
import { createTestApp, testSettings, type TestApp } from '../support/test-app.ts';

const secretOf = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`;

/** What the two environments' sandbox providers sign with: plainly fake. */
export const SECRETS = { test: secretOf('t'), live: secretOf('l') } as const;

export interface KycStand extends TestApp {
  /** Workflows that were started and bells that were rung, in order. */
  readonly started: KycCheckRef[];
  readonly rung: { check: KycCheckRef; reportId: string }[];
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
  giveProviderUrl(kycCheckId: string, url: string): Promise<void>;
  eventTypes(resourceId: string): Promise<string[]>;
}

interface Signature {
  readonly id: string;
  readonly secret: string;
  readonly at: Date;
}

const inject = (app: TestApp['app'], options: InjectOptions): Promise<LightMyRequestResponse> =>
  app.inject(options);

export async function createKycStand(
  secrets: Partial<Record<'test' | 'live', string>> = SECRETS,
): Promise<KycStand> {
  const started: KycCheckRef[] = [];
  const rung: { check: KycCheckRef; reportId: string }[] = [];
  const idle = async (): Promise<void> => undefined;
  const stand = await createTestApp({
    settings: testSettings({ kycCallbackSecrets: secrets }),
    starter: {
      startPayment: idle,
      ringPayment: idle,
      ringEndpoint: idle,
      startKycCheck: async (check) => void started.push(check),
      ringKycCheck: async (check, reportId) => void rung.push({ check, reportId }),
    },
  });
  let callbacks = 0;
  const post: KycStand['post'] = (path, payload, headers = {}) =>
    inject(stand.app, {
      method: 'POST',
      url: `/api/v1${path}`,
      headers: { ...stand.headers, ...headers },
      payload,
    });

  return {
    ...stand,
    started,
    rung,
    post,
    get: (path, token = stand.token) =>
      inject(stand.app, {
        method: 'GET',
        url: `/api/v1${path}`,
        headers: { authorization: `Bearer ${token}` },
      }),
    async addEndUser(lastName = 'Sample', headers = {}) {
      const individual = { firstName: 'Ada', lastName };
      return (await post('/end-users', { type: 'INDIVIDUAL', individual }, headers)).json().id;
    },
    async addKey(environment, customer) {
      return stand.database.db.system(async (tx) => {
        const customerId = customer ?? (await addCustomer(tx));
        const approvedRanges = environment === 'live' ? ['127.0.0.1/32'] : [];
        const wish = { customerId, environment, approvedRanges };
        return (await addApiKey(tx, stand.vault, wish)).token;
      });
    },
    callBack(body, signed = {}) {
      callbacks += 1;
      const {
        id = `msg_${String(callbacks)}`,
        secret = SECRETS.test,
        at = stand.clock.now(),
      } = signed;
      const payload = typeof body === 'string' ? body : JSON.stringify(body);
      const timestampSeconds = Math.floor(at.getTime() / 1000);
      return inject(stand.app, {
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
    async giveProviderUrl(kycCheckId, url) {
      const sealed = stand.vault.seal(Buffer.from(url), kycCheckRow(kycCheckId));
      await stand.database.db.write(stand.scope, (tx) =>
        saveProviderUrl(tx, stand.scope, kycCheckId, sealed),
      );
    },
    async eventTypes(resourceId) {
      const rows = await stand.database.db.system((tx) =>
        tx.query<{ type: string }>(
          'SELECT type FROM events WHERE resource_id = $1 ORDER BY resource_version',
          [resourceId],
        ),
      );
      return rows.map((row) => row.type);
    },
  };
}
