import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { programArguments } from '../../../src/cli/embedded/program-arguments.ts';
import { until } from '../until.ts';

const API = 'src/server/processes/api.ts';
const PROCESSES = 2;

interface Api {
  readonly url: string;
  readonly child: ChildProcess;
  /** Requests that it has not answered yet. */
  readonly open: Set<Promise<unknown>>;
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** API processes over one database that are replaced one after another, and the client that a balancer makes of them. */
export interface RollingApis {
  /** Replaces each process by one with other settings: the new one takes requests before the old one ends. */
  replace(changes: Readonly<Record<string, string>>): Promise<void>;
  /** One request, sent again under its key only where no answer came. */
  send(method: string, path: string, body?: object, key?: string): Promise<Answer>;
  stop(): Promise<void>;
}

export async function startRollingApis(
  env: Readonly<Record<string, string>>,
  token: string,
): Promise<RollingApis> {
  let apis: readonly Api[] = [];
  let turn = 0;

  async function start(changes: Readonly<Record<string, string>>): Promise<Api> {
    const port = String(await freePort());
    const child = spawn(process.execPath, programArguments(API), {
      // The channel lets it end with this process, however that ends.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { PATH: process.env['PATH'], ...env, ...changes, PORT: port },
    });
    const url = `http://127.0.0.1:${port}/api/v1`;
    await until('an API that answers', () => {
      if (child.exitCode !== null) throw new Error('the API has ended');
      return fetch(`${url}/health`).catch(() => null);
    });
    return { url, child, open: new Set() };
  }

  /** Once what it was sent is answered. Its way out by SIGTERM waits for Temporal, which is not there. */
  async function end({ child, open }: Api): Promise<void> {
    await Promise.allSettled(open);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async function ask(api: Api, path: string, init: RequestInit): Promise<Answer | null> {
    const answer = await fetch(`${api.url}${path}`, init).catch(() => null);
    if (answer === null) return null;
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  return {
    async replace(changes) {
      const before = apis;
      for (let nth = 0; nth < PROCESSES; nth += 1) {
        apis = [...apis, await start(changes)];
        const old = before[nth];
        if (old === undefined) continue;
        apis = apis.filter((one) => one !== old);
        await end(old);
      }
    },
    send: (method, path, body, key) =>
      until(`an answer to ${method} ${path}`, async () => {
        const api = apis[(turn += 1) % apis.length];
        if (api === undefined) return null;
        const answering = ask(api, path, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(key === undefined ? {} : { 'idempotency-key': key }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        api.open.add(answering);
        return answering.finally(() => api.open.delete(answering));
      }),
    async stop() {
      await Promise.all(apis.map(end));
    },
  };
}
