import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLoginProvider } from '../../../src/adapters/oidc/login-provider.ts';
import type {
  LoginProvider,
  ProviderAnswer,
  ProviderVisit,
} from '../../../src/domain/customers/access/login-provider.ts';

const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
const BACK = 'http://console.localhost/login/provider/callback';

let issuer: string;
/** What the provider says next. */
let document: Record<string, unknown>;
let claims: Record<string, unknown>;
let header: Record<string, unknown>;
let signedBy: KeyObject;

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function idToken(): string {
  const signed = `${part(header)}.${part(claims)}`;
  if (header['alg'] === 'none') return `${signed}.`;
  return `${signed}.${createSign('sha256').update(signed).sign(signedBy, 'base64url')}`;
}

/** The path whose answer does not end. */
let endless: string | null;
/** Bytes of it that were written. */
let written: number;

/** Sends until the other side has enough. It holds back at 64 MiB, so that no test fills the machine. */
async function sendWithoutEnd(response: ServerResponse): Promise<void> {
  const spaces = Buffer.alloc(65_536, ' ');
  const gone = once(response, 'close');
  while (!response.destroyed && written < 64 * 1024 ** 2) {
    written += spaces.length;
    if (!response.write(spaces)) await Promise.race([once(response, 'drain'), gone]);
  }
}

const server = createServer((request, response) => {
  const jwk = { ...own.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
  const answers: Readonly<Record<string, () => unknown>> = {
    '/.well-known/openid-configuration': () => document,
    '/keys': () => ({ keys: [jwk] }),
    '/token': () => ({ access_token: 'none of ours', token_type: 'Bearer', id_token: idToken() }),
  };
  response.setHeader('content-type', 'application/json');
  if (request.url === endless) {
    void sendWithoutEnd(response);
    return;
  }
  response.end(JSON.stringify(answers[request.url ?? '']?.() ?? {}));
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  endless = null;
  written = 0;
  document = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    authorization_response_iss_parameter_supported: true,
  };
  header = { alg: 'RS256', kid: 'one' };
  signedBy = own.privateKey;
});

const createLogin = (): LoginProvider =>
  createLoginProvider(
    {
      ...{ issuer, clientId: 'console', clientSecret: 'a-secret-of-the-tests-alone' },
      ...{ name: 'Example ID', isOnly: false },
    },
    BACK,
  );

/** Visits the provider, which then answers by what the test has made of its token. */
async function answer(
  change: (visit: ProviderVisit) => Record<string, string> | null,
): Promise<ProviderAnswer> {
  const login = createLogin();
  const started = await login.start();
  if (started.kind !== 'STARTED') throw new Error('the provider was not found');
  const { visit } = started;
  const now = Math.floor(Date.now() / 1_000);
  claims = {
    ...{ iss: issuer, aud: 'console', sub: 'ada', nonce: visit.nonce, iat: now, exp: now + 60 },
    ...{ email: 'Ada@platform.example', email_verified: true },
  };
  const query = { code: 'a code', state: visit.state, iss: issuer, ...change(visit) };
  return login.finish(`?${new URLSearchParams(query).toString()}`, visit);
}

/** Changes the claims alone. */
const claiming = (more: Record<string, unknown>) => (): null => {
  claims = { ...claims, ...more };
  return null;
};

describe('the answer of a login provider', () => {
  it('names who logs in, by the address that it has verified', async () => {
    expect(await answer(() => null)).toEqual({
      kind: 'IDENTITY',
      identity: { address: 'ada@platform.example', roles: [] },
    });
  });

  it.each([
    ['false', false],
    ['a text', 'true'],
    ['left out', undefined],
  ])('names nobody where email_verified is %s', async (_what, isVerified) => {
    expect(await answer(claiming({ email_verified: isVerified }))).toMatchObject({
      identity: { address: null },
    });
  });

  it.each([
    ['is for another client', claiming({ aud: 'another' })],
    ['is of another issuer', claiming({ iss: 'https://id.elsewhere.example' })],
    ['is of another visit', claiming({ nonce: 'another' })],
    ['has no nonce', claiming({ nonce: undefined })],
    ['has expired', claiming({ exp: 1 })],
    [
      'is signed with a foreign key',
      (): null => {
        signedBy = foreign.privateKey;
        return null;
      },
    ],
    [
      'is not signed',
      (): null => {
        header = { alg: 'none' };
        return null;
      },
    ],
  ] as const)('is refused where its token %s', async (_what, change) => {
    expect((await answer(change)).kind).toBe('REFUSED');
  });

  it.each([
    ['of another state', { state: 'another' }],
    ['of another issuer', { iss: 'https://id.elsewhere.example' }],
    ['that is an error', { error: 'access_denied' }],
  ])('is refused with a way back %s', async (_what, query) => {
    expect((await answer(() => query)).kind).toBe('REFUSED');
  });

  it.each(['/.well-known/openid-configuration', '/token', '/keys'])(
    'is not read further than a megabyte: %s',
    async (path) => {
      endless = path;
      const answered =
        path === '/.well-known/openid-configuration'
          ? await createLogin().start()
          : await answer(() => null);
      expect(answered).toEqual({ kind: 'FAILED', code: 'ANSWER_TOO_LARGE' });
      // Buffers of the sockets hold a few more.
      expect(written).toBeLessThan(32 * 1024 ** 2);
    },
  );

  it('says no text that a browser brought', async () => {
    const answered = await answer(() => ({ error: 'Any text, "written" by anybody' }));
    expect(answered).toEqual({ kind: 'REFUSED', code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' });
  });

  it('is not asked for where the document is of another issuer', async () => {
    document['issuer'] = 'https://id.elsewhere.example';
    expect((await createLogin().start()).kind).toBe('FAILED');
  });
});
