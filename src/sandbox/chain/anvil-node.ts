import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Agent, request } from 'undici';

const START_TIMEOUT_MS = 20_000;
const STOP_GRACE_MS = 5_000;
const ANSWER_TIMEOUT_MS = 30_000;
/** Blocks between the head and what `safe` names; `finalized` lies twice as deep. */
const SAFE_BLOCKS = 3;
const STATES_KEPT = 64;

/** What a node says no with: its JSON-RPC error. */
export class NodeRefusal extends Error {
  readonly code: number;
  /** What a call that reverted gave back, in hex. */
  readonly data: string | undefined;
  constructor(code: number, message: string, data?: string) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** One chain, mined by the holder of this alone. */
export interface AnvilNode {
  readonly pid: number;
  /** Asks the node by JSON-RPC. Throws NodeRefusal with what it answers instead of a result. */
  call<Result = unknown>(method: string, params?: readonly unknown[]): Promise<Result>;
  /** Ends the process; what was not saved is lost. */
  stop(): Promise<void>;
}

interface AnvilOptions {
  /** The program's path. */
  readonly command: string;
  readonly chainId: number;
  /** Of the genesis block, in seconds since 1970: it makes two chains differ. */
  readonly genesisSeconds: number;
  /** A state that `anvil_dumpState` gave, as plain JSON. */
  readonly stateFile: string | null;
  /** Called when the process ends without having been asked to. */
  readonly onDeath: (reason: string) => void;
}

/** Starts an anvil that mines only when told. Throws when it does not listen in time. */
export async function startAnvil(options: AnvilOptions): Promise<AnvilNode> {
  const { command, chainId, genesisSeconds, stateFile, onDeath } = options;
  const child = spawn(
    command,
    [
      ...['--host', '127.0.0.1', '--port', '0', '--no-cors'],
      ...['--no-mining', '--order', 'fifo', '--accounts', '0', '--auto-impersonate'],
      ...['--chain-id', String(chainId), '--timestamp', String(genesisSeconds)],
      ...['--slots-in-an-epoch', String(SAFE_BLOCKS)],
      // Balances and nonces can be asked for as of so many blocks back; in memory alone.
      ...['--prune-history', String(STATES_KEPT)],
      ...(stateFile === null ? [] : ['--load-state', stateFile]),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let wasAsked = false;
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${String(code)}`));
  });
  child.stderr.resume();
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error('anvil did not listen within 20 seconds'));
    }, START_TIMEOUT_MS);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^Listening on (\S+)$/.exec(line)?.[1];
      if (found === undefined) return;
      clearTimeout(late);
      resolve(`http://${found}`);
    });
    void exited.then((reason) => {
      clearTimeout(late);
      reject(new Error(`anvil ended before it listened: ${reason}`));
    });
  });
  void exited.then((reason) => {
    if (!wasAsked) onDeath(reason);
  });
  const agent = new Agent({ headersTimeout: ANSWER_TIMEOUT_MS, bodyTimeout: ANSWER_TIMEOUT_MS });

  return {
    pid: child.pid ?? 0,
    async call<Result>(method: string, params: readonly unknown[] = []): Promise<Result> {
      const answer = await request(url, {
        method: 'POST',
        dispatcher: agent,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      const { result, error } = (await answer.body.json()) as {
        readonly result?: Result;
        readonly error?: {
          readonly code: number;
          readonly message: string;
          readonly data?: string;
        };
      };
      if (error !== undefined) throw new NodeRefusal(error.code, error.message, error.data);
      return result as Result;
    },
    async stop() {
      wasAsked = true;
      child.kill('SIGTERM');
      const killing = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
      await exited;
      clearTimeout(killing);
      await agent.close();
    },
  };
}
