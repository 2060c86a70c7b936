import type { Environment } from '../domain/scope.ts';
import type { Variables } from './variables.ts';

/** Somebody whom we call by HTTP and who calls back signed. */
export interface ProviderConfig {
  readonly url: string;
  /** `whsec_` and base64 (Standard Webhooks). */
  readonly callbackSecret: string;
}

/** By environment; one that is missing is not served. */
export type ProviderConfigs = Readonly<Partial<Record<Environment, ProviderConfig>>>;

export interface ProvidersConfig {
  readonly bank: ProviderConfigs;
  readonly kyc: ProviderConfigs;
}

// Standard Webhooks 1.0: base64 of 24 bytes or more; the prefix may be left out.
const SECRET = /^(whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/;

/** Reads the banks and KYC providers of both environments. */
export function readProvidersConfig(variables: Variables): ProvidersConfig {
  return { bank: readBoth(variables, 'BANK'), kyc: readBoth(variables, 'KYC') };
}

function readBoth(variables: Variables, name: string): ProviderConfigs {
  const test = readOne(variables, name);
  const live = readOne(variables, `LIVE_${name}`);
  // What the two share would let a test key move real money, or a test callback settle a live payment.
  if (test !== undefined && live !== undefined) {
    if (sameAddress(test.url, live.url)) {
      variables.problem(`LIVE_${name}_URL must not be the same as ${name}_URL`);
    }
    if (secretText(test) === secretText(live)) {
      variables.problem(
        `LIVE_${name}_CALLBACK_SECRET must not be the same as ${name}_CALLBACK_SECRET`,
      );
    }
  }
  return { ...(test === undefined ? {} : { test }), ...(live === undefined ? {} : { live }) };
}

function readOne(variables: Variables, name: string): ProviderConfig | undefined {
  const isGiven = variables.optional(`${name}_URL`) !== undefined;
  const url = variables.url(`${name}_URL`);
  const callbackSecret = variables.optional(`${name}_CALLBACK_SECRET`);
  if (isGiven !== (callbackSecret !== undefined)) {
    variables.problem(`${name}_URL and ${name}_CALLBACK_SECRET belong together: set both or none`);
    return undefined;
  }
  if (callbackSecret !== undefined && !SECRET.test(callbackSecret)) {
    variables.problem(`${name}_CALLBACK_SECRET must be whsec_ and base64 of at least 24 bytes`);
    return undefined;
  }
  return url === undefined || callbackSecret === undefined ? undefined : { url, callbackSecret };
}

// The prefix may be left out, and padding is no difference.
function secretText(provider: ProviderConfig): string {
  return provider.callbackSecret.replace(/^whsec_/, '').replace(/=+$/, '');
}

function sameAddress(a: string, b: string): boolean {
  return new URL(a).href === new URL(b).href;
}
