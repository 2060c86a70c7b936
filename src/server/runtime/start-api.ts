import { createClamdScanner } from '../../adapters/clamd/clamd-scanner.ts';
import { createPayFromOutside } from '../../adapters/evm/pay-from-outside.ts';
import { createLiveApprovals } from '../../modules/customers/live/live-approvals.ts';
import { httpSettings } from '../config/config.ts';
import { scannerAddress } from '../config/kyc-config.ts';
import { buildApp } from '../../api/app.ts';
import type { TemporalState } from '../../api/deps.ts';
import { createHttpLogger } from '../../api/logger.ts';
import { findMissingSearchAttributes } from '../../adapters/temporal/register-search-attributes.ts';
import { findReconcilerState } from '../temporal/schedules.ts';
import { measurePaymentRequests } from '../monitor/count-requests.ts';
import { openAddressScreening } from './open-address-screening.ts';
import { openContractWallets } from './open-contract-wallets.ts';
import { createEncoderFor } from '../../modules/payments/encoder-for.ts';
import { openNameChecks } from './open-name-checks.ts';
import { openSandboxControls } from './open-sandbox-controls.ts';
import { openScreening } from './open-screener.ts';
import type { Resources } from './resources.ts';
import { createUntrustedProxyWarning } from './warn-untrusted-proxy.ts';

const TEMPORAL_LOOK_MS = 1_000;

interface RunningApi {
  readonly url: string;
  stop(): Promise<void>;
}

/** Builds the HTTP surface and listens. It needs neither Temporal nor the bank to be up. */
export async function startApi(resources: Resources): Promise<RunningApi> {
  const { config, db, vault, clock, corridors, networks, workflows, starts, wakes, connectors } =
    resources;
  const { screener } = openScreening(resources);
  const contracts = openContractWallets(resources);
  const app = buildApp({
    db,
    vault,
    clock,
    corridors,
    networks,
    workflows,
    starts,
    wakes,
    screener,
    encoderFor: createEncoderFor(connectors, screener),
    nameChecks: openNameChecks(config, resources.log),
    addressScreening: openAddressScreening(resources),
    contractWallets: contracts.contractWallets,
    liveApprovals: createLiveApprovals({
      ...{ db, clock, operatorKeys: resources.operatorKeys },
      onUnsigned: (approvalId, why) => {
        resources.log.error(
          { approvalId, why },
          'a live key rests on an approval that does not count',
        );
      },
    }),
    ...(config.sandboxChainUrl === undefined
      ? {}
      : { payFromOutside: createPayFromOutside(config.sandboxChainUrl) }),
    ...openSandboxControls(config),
    ...(config.kyc.scannerUrl === undefined
      ? {}
      : { documentScanner: createClamdScanner(scannerAddress(config.kyc.scannerUrl)) }),
    settings: httpSettings(config),
    temporalState: () => temporalState(resources),
    logger: createHttpLogger(config.logLevel),
    onUntrustedProxy: createUntrustedProxyWarning(resources),
  });
  measurePaymentRequests(app, resources.metrics);
  const url = await app.listen({ host: config.http.host, port: config.http.port });
  return {
    url,
    async stop() {
      await app.close();
      await contracts.close();
    },
  };
}

async function temporalState(resources: Resources): Promise<TemporalState> {
  try {
    const client = resources.getClient();
    const deadline = Date.now() + TEMPORAL_LOOK_MS;
    const missing = await client.connection.withDeadline(deadline, () =>
      findMissingSearchAttributes(client),
    );
    if (missing.length > 0) return { kind: 'search_attributes_missing' };
    const sweep = await client.connection.withDeadline(deadline, () => findReconcilerState(client));
    return { kind: 'ok', sweep };
  } catch {
    return { kind: 'unreachable' };
  }
}
