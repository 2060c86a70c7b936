import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { ProviderConfig, Providers } from './provider-config.ts';
import { variableOf } from './setting-scope.ts';
import { textOf, type Env, type Report } from './settings.ts';

/** An address of this machine in the form that the WHATWG parser gives it; no name, which DNS decides. */
const LOOPBACK = /^(127(\.[0-9]{1,3}){3}|\[::1\])$/;

interface Pair {
  readonly test?: ProviderConfig;
  readonly live?: ProviderConfig;
}

/** Reports what goes beyond one variable of a provider, or beyond one provider. */
export function checkProviders(providers: Providers, env: Env, report: Report): void {
  const { bank, kyc, nameCheck, screening, addressScreening, travelRule } = providers;
  const byName = {
    ...{ BANK: bank, KYC: kyc, NAME_CHECK: nameCheck, SCREENING: screening },
    ...{ ADDRESS_SCREENING: addressScreening, TRAVEL_RULE: travelRule },
  };
  for (const [name, { test, live }] of Object.entries<Pair>(byName)) {
    checkOne(variableOf('test', name), test, env, report);
    checkOne(variableOf('live', name), live, env, report);
    if (live !== undefined) checkLiveUrl(name, live, providers, report);
    if (test !== undefined && live !== undefined) checkDifference(name, test, live, report);
  }
}

function checkOne(
  name: string,
  provider: ProviderConfig | undefined,
  env: Env,
  report: Report,
): void {
  const urlName = `${name}_URL`;
  const [certName, keyName, caName] = [
    `${name}_CLIENT_CERT_FILE`,
    `${name}_CLIENT_KEY_FILE`,
    `${name}_CA_FILE`,
  ] as const;
  const isAsked = /(NAME_CHECK|SCREENING|TRAVEL_RULE)$/.test(name);
  const secretNames = isAsked ? [] : [`${name}_CALLBACK_SECRET`];
  const further = [...secretNames, `${name}_TOKEN`, certName, keyName, caName];
  const given = further.filter((variable) => textOf(env, variable) !== '');
  if (provider === undefined) {
    for (const variable of given)
      report([variable, urlName], `${variable} is set without ${urlName}`);
    return;
  }
  if (!provider.url.startsWith('https:')) {
    for (const variable of given.filter((one) => !one.endsWith('_CALLBACK_SECRET'))) {
      report([variable, urlName], `${variable} needs ${urlName} to begin with https://`);
    }
  }
  const { clientCert, clientKey, ca } = provider;
  if ((clientCert === undefined) !== (clientKey === undefined)) {
    report([certName, keyName], `${certName} and ${keyName} belong together: set both or none`);
  } else if (!isUsable(() => createSecureContext({ cert: clientCert, key: clientKey }))) {
    report([certName, keyName], `${certName} and ${keyName} must be a certificate and its key`);
  }
  if (ca !== undefined && !isUsable(() => new X509Certificate(ca))) {
    report([caName], `${caName} must hold certificates`);
  }
}

/** An attacker on the network path to a live bank could read names and accounts, and answer in its place. */
function checkLiveUrl(
  name: string,
  live: ProviderConfig,
  providers: Providers,
  report: Report,
): void {
  if (!URL.canParse(live.url)) return;
  const { protocol, hostname } = new URL(live.url);
  const isAllowed = providers.allowInsecureLiveLoopback && LOOPBACK.test(hostname);
  if (protocol === 'https:' || isAllowed) return;
  report([`LIVE_${name}_URL`], `LIVE_${name}_URL must begin with https://`);
}

/** What test and live share would let a test key move real money, or a test callback settle a live payment. */
function checkDifference(
  name: string,
  test: ProviderConfig,
  live: ProviderConfig,
  report: Report,
): void {
  const refuseSame = (what: string, isSame: boolean) => {
    const names = [variableOf('live', `${name}_${what}`), variableOf('test', `${name}_${what}`)];
    if (isSame) report(names, names.join(' must not be the same as '));
  };
  refuseSame('URL', addressOf(test.url) === addressOf(live.url));
  refuseSame(
    'CALLBACK_SECRET',
    test.callbackSecret !== undefined &&
      secretOf(test.callbackSecret) === secretOf(live.callbackSecret ?? ''),
  );
  refuseSame('TOKEN', test.token !== undefined && test.token === live.token);
}

const addressOf = (given: string) => URL.canParse(given) && new URL(given).href;
// The prefix may be left out, and padding is no difference.
const secretOf = (given: string) => given.replace(/^whsec_|=+$/g, '');

function isUsable(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch {
    return false;
  }
}
