import type { Config } from '../config/config.ts';
import { createSandboxBankControl } from '../../adapters/http-bank/sandbox-control.ts';
import type { HttpDeps } from '../../api/deps.ts';
import { createSandboxKycControl } from '../../adapters/kyc/sandbox-control.ts';
import { openProviderDispatcher } from './provider-dispatcher.ts';

/** To the end of the TLS handshake, ms: calls to the control API may take five seconds. */
const CONNECT_TIMEOUT_MS = 2_000;

/** What directs bank and KYC provider of the test environment, where they are configured. Live has none. */
export function openSandboxControls(config: Config): Pick<HttpDeps, 'bankControl' | 'kycControl'> {
  const bank = config.providers.bank.test;
  const kyc = config.providers.kyc.test;
  return {
    ...(bank === undefined
      ? {}
      : {
          bankControl: createSandboxBankControl(
            bank.url,
            openProviderDispatcher(bank, CONNECT_TIMEOUT_MS),
          ),
        }),
    ...(kyc === undefined
      ? {}
      : {
          kycControl: createSandboxKycControl({
            url: kyc.url,
            dispatcher: openProviderDispatcher(kyc, CONNECT_TIMEOUT_MS),
          }),
        }),
  };
}
