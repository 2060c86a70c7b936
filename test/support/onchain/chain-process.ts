import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ChainAlarm } from '../../../src/modules/onchain/chain-deps.ts';
import type { FastTime } from './fast-clock.ts';
import { programArguments } from '../../../src/cli/embedded/program-arguments.ts';

const PROGRAM = fileURLToPath(new URL('../server/programs/poll-chain.ts', import.meta.url));

/**
 * Where a process that looks at a chain is killed. A: nonce and unsigned bytes are committed. SIGN: they are
 * signed, and that is not stored. B: it is stored, and not sent. BROADCAST: it is sent. C: a nonce's outcome
 * is committed, and no other process has heard of it. TELL: a payment was changed, and that is not noted.
 */
export const KILL_POINTS = ['A', 'SIGN', 'B', 'BROADCAST', 'C', 'TELL'] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

/** At which turn of which point a process ends itself by SIGKILL. */
export interface KillOrder {
  readonly point: KillPoint;
  /** From 1. */
  readonly turn: number;
}

/** What a process that looks at a chain is given, as JSON. */
export interface ChainProcessSetup {
  readonly databaseUrl: string;
  readonly rpcUrls: readonly string[];
  readonly chainId: number;
  readonly contract: string;
  readonly factory: string;
  /** The private keys of the signer accounts, 64 hex digits each. */
  readonly keys: readonly string[];
  readonly time: FastTime;
}

/** What it tells; the last word of one that is killed is KILLED. */
export type ChainProcessWord =
  | { readonly kind: 'WOKEN'; readonly paymentId: string }
  | { readonly kind: 'ALARM'; readonly alarm: ChainAlarm }
  | { readonly kind: 'UNREADABLE'; readonly why: string }
  | { readonly kind: 'KILLED'; readonly point: KillPoint };

export interface KeptChainProcess {
  /** How often one was killed, by point. */
  readonly kills: ReadonlyMap<KillPoint, number>;
  /** How it ended other than by a kill that was asked for; null while it did not. */
  problem(): string | null;
  close(): Promise<void>;
}

/**
 * Keeps one process that looks at a chain again and again, and puts the next one in the place of each that
 * is killed. That one has its code loaded by then, so that little time passes without any.
 */
export function keepChainProcess(
  setup: ChainProcessSetup,
  nextKill: () => KillOrder | null,
  hear: (word: ChainProcessWord) => void,
): KeptChainProcess {
  const kills = new Map<KillPoint, number>();
  const children = new Set<ChildProcess>();
  let problem: string | null = null;
  let isClosing = false;

  function start(): ChildProcess {
    const child = spawn(process.execPath, programArguments(PROGRAM), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, CHAIN_PROCESS: JSON.stringify(setup) },
    });
    children.add(child);
    let point: KillPoint | null = null;
    child.on('message', (word: ChainProcessWord) => {
      if (word.kind === 'KILLED') point = word.point;
      hear(word);
    });
    child.once('exit', (code, signal) => {
      children.delete(child);
      if (isClosing) return;
      if (signal !== 'SIGKILL' || point === null) {
        problem ??= `it ended by itself: ${String(signal ?? code)}`;
        return;
      }
      kills.set(point, (kills.get(point) ?? 0) + 1);
      next.send({ kill: nextKill() });
      next = start();
    });
    return child;
  }

  const first = start();
  first.send({ kill: nextKill() });
  let next = start();
  return {
    kills,
    problem: () => problem,
    async close() {
      isClosing = true;
      const ended = [...children].map(
        (child) => new Promise((resolve) => child.once('exit', resolve)),
      );
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ended);
    },
  };
}
