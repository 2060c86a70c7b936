import { join } from 'node:path';
import { readPeppers } from '../../domain/peppers.ts';
import { readNetworkSetups } from '../../server/config/chain-config.ts';
import type { DevState } from '../dev/dev-stack.ts';
import { readOperatorKeys } from '../../server/runtime/open-operator-keys.ts';
import { keepSecrets } from '../dev/dev-secrets.ts';
import { connectToVerify } from '../verify/reader.ts';
import { renderReport } from '../verify/report.ts';
import { connectTemporalProbe } from '../verify/temporal-probe.ts';
import { verify } from '../verify/verify.ts';
import { DemoFailure } from './step.ts';

const START_GRACE_SECONDS = 30;

const networksOf = (dataDir: string) => ({ TEST_NETWORKS_FILE: join(dataDir, 'networks.json') });

/** The invariants that can be checked from outside, one line each. Any violation ends the demo. */
export async function verifyBooks(state: DevState, dataDir: string): Promise<string[]> {
  const connection = await connectToVerify(state.databaseUrl);
  const secrets = keepSecrets(dataDir);
  const probe = await connectTemporalProbe({ env: {}, address: state.temporalAddress });
  try {
    const verdicts = await verify({
      connection,
      clientLog: null,
      isWorkflowOpen: probe.isWorkflowOpen,
      startGraceSeconds: START_GRACE_SECONDS,
      operatorKeys: await readOperatorKeys({
        OPS_PASSKEY: 'software',
        ENCRYPTION_KEYS: secrets.encryptionKeys,
        PEPPER: secrets.pepper,
      }),
      seals: { peppers: readPeppers(secrets.pepper), kept: null },
      chains: state.chain === null ? null : readNetworkSetups(networksOf(dataDir)),
    });
    const looked = verdicts.filter((verdict) => verdict.status !== 'skipped');
    const violated = looked.filter((verdict) => verdict.status === 'violated');
    if (violated.length > 0) throw new DemoFailure(renderReport(violated));
    return renderReport(looked).split('\n');
  } finally {
    await probe.close();
    await connection.close();
  }
}
