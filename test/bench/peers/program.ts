import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { programArguments } from '../../../src/cli/embedded/program-arguments.ts';
import type { RunScope } from '../scope.ts';

const PROGRAMS = join(import.meta.dirname, '../programs');
const STOP_GRACE_MS = 5_000;

/** A question to a program, and its answer, as they cross the channel. */
export interface Question {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}
export type Reply = { readonly id: number } & (
  { readonly result: unknown } | { readonly failure: string }
);

/** A program of the bench that runs as a process of its own, so that its processor time is its own. */
export interface Program {
  readonly pid: number;
  /** Asks it something and waits for the answer. Throws what it throws, and when it dies. */
  ask<Result>(name: string, input?: unknown): Promise<Result>;
  stop(): Promise<void>;
}

/** Starts `programs/<name>.ts`, which answers by `answerParent`. It ends with the scope, or with us. */
export async function startProgram(scope: RunScope, name: string): Promise<Program> {
  const [run = '', ...args] = programArguments(join(PROGRAMS, `${name}.ts`));
  const child = fork(run, args, {
    execArgv: [],
    serialization: 'advanced',
    // Ctrl-C in the terminal reaches us alone: we stop the programs in our order.
    detached: true,
  });
  const waiting = new Map<number, (reply: Reply) => void>();
  let lastId = 0;
  let isGone = false;
  const exited = once(child, 'exit').then(() => {
    isGone = true;
    const failure = `the bench's program ${name} has ended`;
    for (const [id, take] of waiting) take({ id, failure });
  });
  child.on('message', (message) => {
    const reply = message as Reply;
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });

  const program: Program = {
    pid: child.pid ?? 0,
    ask<Result>(asked: string, input?: unknown) {
      return new Promise<Result>((resolve, reject) => {
        if (isGone) {
          reject(new Error(`the bench's program ${name} has ended`));
          return;
        }
        const question: Question = { id: (lastId += 1), name: asked, input };
        waiting.set(question.id, (reply) => {
          if ('failure' in reply) reject(new Error(`${name}: ${reply.failure}`));
          else resolve(reply.result as Result);
        });
        child.send(question);
      });
    },
    async stop() {
      if (isGone) return;
      child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
      await exited;
      clearTimeout(timer);
    },
  };
  scope.defer(() => program.stop());
  await program.ask('ready');
  return program;
}
