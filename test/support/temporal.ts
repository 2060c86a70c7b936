import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  type WorkflowBundle,
} from '@temporalio/worker';
import { inject } from 'vitest';
import { newId } from '../../src/db/client/new-id.ts';
import type { ActivityWitness } from '../../src/server/temporal/activity-guard.ts';
import { registerSearchAttributes } from '../../src/adapters/temporal/register-search-attributes.ts';
import { loadWorkflowBundle } from '../../src/server/temporal/workflow-bundle.ts';
import { shareWorkflowThreads } from './share-workflow-threads.ts';

/** On the global object: every test file has modules of its own. */
const isSilent = Symbol.for('causeway.test.isSdkSilent');

/** Hears what activities did and keeps it to itself. */
export const SILENT_WITNESS: ActivityWitness = {
  onDone: () => undefined,
  onFailure: () => undefined,
};

export interface TestTemporal {
  readonly address: string;
  readonly namespace: string;
  readonly client: Client;
  readonly connection: NativeConnection;
  /** For the options of a worker: as production has it. */
  readonly workflowBundle: WorkflowBundle;
  close(): Promise<void>;
}

/**
 * A namespace of the caller's own on the run's Temporal server: task queues have fixed names, so test
 * files would else take each other's work. One a test file: `beforeAll` opens it, `afterAll` closes.
 */
export async function openTestTemporal(): Promise<TestTemporal> {
  silenceSdk();
  shareWorkflowThreads();
  const address = inject('temporalAddress');
  const namespace = newId('test');
  const clientConnection = await Connection.connect({ address });
  await clientConnection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  const client = new Client({ connection: clientConnection, namespace });
  await registerSearchAttributes(client);
  const connection = await NativeConnection.connect({ address });
  return {
    address,
    namespace,
    client,
    connection,
    workflowBundle: await loadWorkflowBundle({
      file: inject('workflowBundleFile'),
      withStacks: false,
    }),
    async close() {
      await clientConnection.close();
      await connection.close();
    },
  };
}

/** Tests break workers on purpose; the SDK's words about it would drown the report. */
export function silenceSdk(): void {
  // Once a process: its files share the SDK's runtime.
  if (isSilent in globalThis) return;
  Object.defineProperty(globalThis, isSilent, { value: true });
  const filter = makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' });
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter } },
  });
}
