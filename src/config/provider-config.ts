import { Type, type Static } from 'typebox';
import { flag, pemFile, text, url } from './setting-types.ts';

// Standard Webhooks 1.0: base64 of 24 bytes or more; the prefix may be left out.
const SECRET = /^(whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/;

// RFC 6750, section 2.1.
const TOKEN = /^[A-Za-z0-9._~+/-]{1,8000}=*$/;
const TOKEN_MEANING =
  'bearer token that every request to it carries; needs https. Must differ between test and live';

/** What callbacks of the provider called `name` are signed with. */
export function callbackSecret(name: string) {
  const about = {
    must: 'whsec_ and base64 of at least 24 bytes',
    unit: 'secret',
    description:
      'what callbacks are signed with: `whsec_` and base64 of at least 24 bytes. Must differ between test and live',
  };
  return text(`${name}_CALLBACK_SECRET`, about, (given) => SECRET.test(given));
}

/** A bank or KYC provider: called by HTTP, and calls back signed. Not served where it is missing. */
function provider(name: string, what: string) {
  return Type.Optional(
    Type.Object({
      url: url(`${name}_URL`, what, { defaultText: '-' }),
      callbackSecret: callbackSecret(name),
      ...access(name),
    }),
  );
}

/** A provider of screening: called by HTTP, and never calls back. */
function screeningProvider(name: string, what: string) {
  return Type.Optional(
    Type.Object({ url: url(`${name}_URL`, what, { defaultText: '-' }), ...access(name) }),
  );
}

/** How a provider knows us, and how we know it. */
function access(name: string) {
  const isToken = (given: string): boolean => TOKEN.test(given);
  const token = { must: 'a bearer token (RFC 6750)', unit: 'secret', description: TOKEN_MEANING };
  return {
    token: Type.Optional(text(`${name}_TOKEN`, token, isToken)),
    clientCert: Type.Optional(
      pemFile(`${name}_CLIENT_CERT_FILE`, 'client certificate for mutual TLS, PEM; needs https'),
    ),
    clientKey: Type.Optional(
      pemFile(`${name}_CLIENT_KEY_FILE`, 'its private key, PEM without a passphrase'),
    ),
    ca: Type.Optional(
      pemFile(`${name}_CA_FILE`, "certificates to trust instead of Node's, PEM; needs https"),
    ),
  };
}

const NO_BANK = 'unset: its payments answer 422 `corridor_unavailable`';
const NO_KYC = 'unset: its checks stay `PENDING`';
const DIFFERS = 'Must differ from that of test';

export const PROVIDERS = Type.Object({
  bank: Type.Object({
    test: provider('BANK', `the bank of test; ${NO_BANK}`),
    live: provider('LIVE_BANK', `the bank of live: https; ${NO_BANK}. ${DIFFERS}`),
  }),
  kyc: Type.Object({
    test: provider('KYC', `the KYC provider of test; ${NO_KYC}`),
    live: provider('LIVE_KYC', `the KYC provider of live: https; ${NO_KYC}. ${DIFFERS}`),
  }),
  screening: Type.Object({
    test: screeningProvider('SCREENING', `a screening provider of test in place of a file`),
    live: screeningProvider(
      'LIVE_SCREENING',
      `a screening provider of live in place of a file: https. ${DIFFERS}`,
    ),
  }),
  allowInsecureLiveLoopback: flag(
    'ALLOW_INSECURE_LIVE_LOOPBACK',
    'the URLs of live may be `http://127.0.0.1` or `http://[::1]`, as the sandbox has them. `true` in the local run, never elsewhere',
  ),
});

export type Providers = Static<typeof PROVIDERS>;
export type ProviderConfigs = Providers['bank'];
export type ProviderConfig = NonNullable<ProviderConfigs['test']>;
/** What all of them have. */
export type ReachedProvider = Omit<ProviderConfig, 'callbackSecret'>;
