import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { UnusableInput } from './unusable-input.ts';

/** Whether a workflow of this id is running now. An id that Temporal does not know is not. */
export type IsWorkflowOpen = (workflowId: string) => Promise<boolean>;

interface TemporalProbe {
  readonly isWorkflowOpen: IsWorkflowOpen;
  close(): Promise<void>;
}

/**
 * Connects with the settings of Temporal in `env` (TLS, API key), the address and namespace given here
 * first. @throws UnusableInput where the server or the namespace cannot be reached: a question that
 * cannot be asked is no answer.
 */
export async function connectTemporalProbe(options: {
  readonly env: Readonly<Record<string, string>>;
  readonly address: string;
  readonly namespace?: string;
}): Promise<TemporalProbe> {
  const config = loadClientConnectConfig({ overrideEnvVars: options.env });
  const namespace = options.namespace ?? config.namespace ?? 'default';
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({
      ...config.connectionOptions,
      address: options.address,
    });
    await connection.workflowService.describeNamespace({ namespace });
  } catch (error) {
    await connection?.close();
    const cause = error instanceof Error ? error.message : String(error);
    throw new UnusableInput(`cannot ask Temporal at ${options.address}/${namespace}: ${cause}`);
  }
  const open = connection;
  const client = new Client({ connection: open, namespace });
  return {
    async isWorkflowOpen(workflowId) {
      try {
        const description = await client.workflow.getHandle(workflowId).describe();
        return description.status.name === 'RUNNING';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      }
    },
    close: () => open.close(),
  };
}
