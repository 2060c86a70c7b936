import { Type, type Static } from 'typebox';
import { text, url } from './setting-types.ts';
import { textOf, type Env, type Report } from './settings.ts';

// Standard Webhooks 1.0: base64 of 24 bytes or more; the prefix may be left out.
const SECRET = /^(whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/;

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
    }),
  );
}

const NO_BANK = 'unset: its payments answer 422 `corridor_unavailable`';
const NO_KYC = 'unset: its checks stay `PENDING`';

export const PROVIDERS = Type.Object({
  bank: Type.Object({
    test: provider('BANK', `the bank of test; ${NO_BANK}`),
    live: provider('LIVE_BANK', `the bank of live; ${NO_BANK}. Must differ from that of test`),
  }),
  kyc: Type.Object({
    test: provider('KYC', `the KYC provider of test; ${NO_KYC}`),
    live: provider(
      'LIVE_KYC',
      `the KYC provider of live; ${NO_KYC}. Must differ from that of test`,
    ),
  }),
});

type Providers = Static<typeof PROVIDERS>;
export type ProviderConfigs = Providers['bank'];

/** What test and live share would let a test key move real money, or a test callback settle a live payment. */
export function checkProviders(providers: Providers, env: Env, report: Report): void {
  for (const [name, { test, live }] of [
    ['BANK', providers.bank],
    ['KYC', providers.kyc],
  ] as const) {
    for (const one of [name, `LIVE_${name}`]) {
      const names = [`${one}_URL`, `${one}_CALLBACK_SECRET`] as const;
      if (textOf(env, names[0]) === '' && textOf(env, names[1]) !== '') {
        report(names, `${names.join(' and ')} belong together: set both or none`);
      }
    }
    if (test === undefined || live === undefined) continue;
    const refuseSame = (what: string, isSame: boolean) => {
      const names = [`LIVE_${name}_${what}`, `${name}_${what}`];
      if (isSame) report(names, names.join(' must not be the same as '));
    };
    refuseSame('URL', addressOf(test.url) === addressOf(live.url));
    refuseSame('CALLBACK_SECRET', secretOf(test.callbackSecret) === secretOf(live.callbackSecret));
  }
}

const addressOf = (given: string) => URL.canParse(given) && new URL(given).href;
// The prefix may be left out, and padding is no difference.
const secretOf = (given?: string) => given?.replace(/^whsec_|=+$/g, '');
