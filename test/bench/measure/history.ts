import { Client, Connection } from '@temporalio/client';

/**
 * The length of so many payment workflows' histories, in events; newest first. They are found by
 * their type, so that nothing need be known of how the engine names them.
 */
export async function readHistoryLengths(address: string, sample: number): Promise<number[]> {
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection });
    const lengths: number[] = [];
    const query = "WorkflowType = 'payment' AND ExecutionStatus = 'Completed'";
    for await (const { workflowId, runId } of client.workflow.list({ query })) {
      const { historyLength } = await client.workflow.getHandle(workflowId, runId).describe();
      lengths.push(historyLength);
      if (lengths.length >= sample) break;
    }
    return lengths;
  } finally {
    await connection.close();
  }
}

/** The events of all histories of a type of workflow, of every run that it was continued by. */
export async function countHistoryEvents(address: string, type: string): Promise<number> {
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection });
    let events = 0;
    const query = `WorkflowType = '${type}'`;
    for await (const { workflowId, runId } of client.workflow.list({ query })) {
      events += (await client.workflow.getHandle(workflowId, runId).describe()).historyLength;
    }
    return events;
  } finally {
    await connection.close();
  }
}
