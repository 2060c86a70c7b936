import { Type, type Static } from 'typebox';
import { flag, integer, pemFile, text, url } from './setting-types.ts';

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

/** How a provider called `name` is reached. */
function access(name: string, what: string) {
  const isToken = (given: string): boolean => TOKEN.test(given);
  const token = { must: 'a bearer token (RFC 6750)', unit: 'secret', description: TOKEN_MEANING };
  return {
    url: url(`${name}_URL`, what, { defaultText: '-' }),
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

const NO_BANK = 'unset: its payments answer 422 `corridor_unavailable`';
const NO_KYC = 'unset: its checks stay `PENDING`';
const NO_NAME_CHECK = 'unset: its accounts say `NOT_SUPPORTED`';
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
  nameCheck: Type.Object({
    test: askedProvider('NAME_CHECK', `the name check of test; ${NO_NAME_CHECK}`),
    live: askedProvider(
      'LIVE_NAME_CHECK',
      `the name check of live: https; ${NO_NAME_CHECK}. ${DIFFERS}`,
    ),
  }),
  nameCheckTimeoutMs: integer('NAME_CHECK_TIMEOUT_MS', [1, 10_000], {
    default: 2_000,
    unit: 'ms',
    description:
      'one name check: so long at most POST /bank-accounts waits for it, then it says `UNAVAILABLE`',
  }),
  screening: Type.Object({
    test: askedProvider('SCREENING', `a screening provider of test in place of a file`),
    live: askedProvider(
      'LIVE_SCREENING',
      `a screening provider of live in place of a file: https. ${DIFFERS}`,
    ),
  }),
  addressScreening: Type.Object({
    test: askedProvider(
      'ADDRESS_SCREENING',
      'a provider that knows addresses, for test, in place of a file',
    ),
    live: askedProvider(
      'LIVE_ADDRESS_SCREENING',
      `a provider that knows addresses, for live, in place of a file: https. ${DIFFERS}`,
    ),
  }),
  travelRule: Type.Object({
    test: askedProvider(
      'TRAVEL_RULE',
      "what carries records to the VASPs of wallets (docs/how-to/connect-a-kyc-provider.md), for test; unset: the sandbox's VASPs",
    ),
    live: askedProvider(
      'LIVE_TRAVEL_RULE',
      `the same for live: https; unset: no HOSTED wallet is paid. ${DIFFERS}`,
    ),
  }),
  allowInsecureLiveLoopback: flag(
    'ALLOW_INSECURE_LIVE_LOOPBACK',
    'the URLs of live may be `http://127.0.0.1` or `http://[::1]`, as the sandbox has them. `true` in the local run, never elsewhere',
  ),
});

export type Providers = Static<typeof PROVIDERS>;
export type ProviderConfigs = Providers['bank'];
/** A provider's settings; one that never calls back has no secret for it. */
export type ProviderConfig = Omit<NonNullable<ProviderConfigs['test']>, 'callbackSecret'> & {
  readonly callbackSecret?: string;
};
