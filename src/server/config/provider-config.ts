import { Type, type Static } from 'typebox';
import { inEnvironment, perEnvironment } from './setting-scope.ts';
import { flag, integer, pemFile, secret, url } from './setting-types.ts';

// Standard Webhooks 1.0: base64 of 24 bytes or more; the prefix may be left out.
const SECRET = /^(whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/;

// RFC 6750, section 2.1.
const TOKEN = /^[A-Za-z0-9._~+/-]{1,8000}=*$/;
const TOKEN_MEANING =
  'The bearer token of every request to the provider. It needs an `https://` URL. Test and live need different tokens.';

/** What callbacks of the provider called `name` are signed with. */
export function callbackSecret(name: string) {
  const about = {
    must: 'whsec_ and base64 of at least 24 bytes',
    unit: 'secret',
    description:
      'The secret that signs callbacks: `whsec_` and base64 of at least 24 bytes. Test and live need different secrets.',
  };
  return secret(`${name}_CALLBACK_SECRET`, about, (given) => SECRET.test(given));
}

/** How a provider called `name` is reached. */
function access(name: string, what: string) {
  const isToken = (given: string): boolean => TOKEN.test(given);
  const token = { must: 'a bearer token (RFC 6750)', unit: 'secret', description: TOKEN_MEANING };
  return {
    url: url(`${name}_URL`, what, { defaultText: '-' }),
    token: Type.Optional(secret(`${name}_TOKEN`, token, isToken)),
    clientCert: Type.Optional(
      pemFile(
        `${name}_CLIENT_CERT_FILE`,
        'The client certificate for mutual TLS (PEM). It needs an `https://` URL.',
      ),
    ),
    clientKey: Type.Optional(
      pemFile(
        `${name}_CLIENT_KEY_FILE`,
        'The private key of the client certificate (PEM, no passphrase).',
      ),
    ),
    ca: Type.Optional(
      pemFile(
        `${name}_CA_FILE`,
        "The certificates to trust instead of Node's (PEM). It needs an `https://` URL.",
      ),
    ),
  };
}

/** A bank or KYC provider: called by HTTP, and calls back signed. Not served where it is missing. */
function provider(name: string, what: string) {
  const { url: address, ...further } = access(name, what);
  return Type.Optional(
    Type.Object({ url: address, callbackSecret: callbackSecret(name), ...further }),
  );
}

/** A provider that is asked and never calls back. */
function askedProvider(name: string, what: string) {
  return Type.Optional(Type.Object(access(name, what)));
}

const LIVE_URL = 'In live it must begin with `https://` and differ from the URL in test.';

export const PROVIDERS = Type.Object({
  bank: perEnvironment(() =>
    provider(
      'BANK',
      `The bank. Without it, payments answer 422 \`corridor_unavailable\`. ${LIVE_URL}`,
    ),
  ),
  kyc: perEnvironment(() =>
    provider('KYC', `The KYC provider. Without it, checks stay \`PENDING\`. ${LIVE_URL}`),
  ),
  nameCheck: perEnvironment(() =>
    askedProvider(
      'NAME_CHECK',
      `The name check. Without it, accounts say \`NOT_SUPPORTED\`. ${LIVE_URL}`,
    ),
  ),
  nameCheckTimeoutMs: integer('NAME_CHECK_TIMEOUT_MS', [1, 10_000], {
    default: 2_000,
    unit: 'ms',
    description:
      'The timeout of one name check. After it, `POST /bank-accounts` answers with `UNAVAILABLE`.',
  }),
  screening: perEnvironment(() =>
    askedProvider('SCREENING', `A screening provider that replaces the file of names. ${LIVE_URL}`),
  ),
  addressScreening: perEnvironment(() =>
    askedProvider(
      'ADDRESS_SCREENING',
      `A screening provider that replaces the file of addresses. ${LIVE_URL}`,
    ),
  ),
  travelRule: perEnvironment(() =>
    askedProvider(
      'TRAVEL_RULE',
      `The service that sends travel rule records to the VASPs of wallets: [KYC and other providers](../how-to/connect-a-kyc-provider.md). Without it, test uses the sandbox's VASPs, and live pays no \`HOSTED\` wallet. ${LIVE_URL}`,
    ),
  ),
  allowInsecureLiveLoopback: inEnvironment(
    'live',
    flag(
      'ALLOW_INSECURE_LOOPBACK',
      'Allows provider URLs that begin with `http://127.0.0.1` or `http://[::1]`. The local run sets it to `true`. Never set it in production.',
    ),
  ),
});

export type Providers = Static<typeof PROVIDERS>;
export type ProviderConfigs = Providers['bank'];
/** A provider's settings; one that never calls back has no secret for it. */
export type ProviderConfig = Omit<NonNullable<ProviderConfigs['test']>, 'callbackSecret'> & {
  readonly callbackSecret?: string;
};
