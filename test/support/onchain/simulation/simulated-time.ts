import type { Clock } from '../../../../src/domain/clock.ts';
import type { Database } from '../../../../src/db/client/database.ts';

/**
 * A clock that runs ahead of the machine's. It stands still while anything works, and goes on to the next moment that
 * something sleeps until once nothing does. So a second of it holds the same number of round trips on each machine, and
 * processor and database cost no time of it.
 */
export interface SimulatedTime extends Clock {
  /** In ms of this clock; at once where it has ended. */
  sleep(milliseconds: number): Promise<void>;
  /** The clock stands still until it is done. */
  working<Result>(work: () => Promise<Result>): Promise<Result>;
  isOver(): boolean;
  /** Ends the clock, and every sleep. */
  end(): void;
}

/**
 * Turns of the event loop without any change after which nothing works in this process: a request of its own to a server
 * of its own takes fewer. What another process works on is told by `working`.
 */
const QUIET_TURNS = 30;

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

export function createSimulatedTime(start: Date): SimulatedTime {
  let nowMs = start.getTime();
  let working = 0;
  let changes = 0;
  let isOver = false;
  let onChange: () => void = () => undefined;
  const sleepers = new Set<Sleeper>();

  function change(): void {
    changes += 1;
    onChange();
  }
  const changed = (): Promise<void> =>
    new Promise((resolve) => {
      onChange = resolve;
    });

  async function untilQuiet(): Promise<void> {
    let seen = changes;
    for (let turns = 0; turns < QUIET_TURNS;) {
      if (working > 0) await changed();
      else await nextTurn();
      turns = changes === seen && working === 0 ? turns + 1 : 0;
      seen = changes;
    }
  }
  function earliest(): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const one of sleepers) if (first === undefined || one.dueMs < first.dueMs) first = one;
    return first;
  }
  async function run(): Promise<void> {
    while (!isOver) {
      await untilQuiet();
      const next = earliest();
      if (next === undefined) {
        await changed();
        continue;
      }
      sleepers.delete(next);
      nowMs = Math.max(nowMs, next.dueMs);
      changes += 1;
      next.wake();
    }
    for (const { wake } of sleepers) wake();
    sleepers.clear();
  }
  void run();

  return {
    now: () => new Date(nowMs),
    isOver: () => isOver,
    sleep(milliseconds) {
      if (isOver) return Promise.resolve();
      return new Promise((wake) => {
        sleepers.add({ dueMs: nowMs + milliseconds, wake });
        change();
      });
    },
    async working(work) {
      working += 1;
      change();
      try {
        return await work();
      } finally {
        working -= 1;
        change();
      }
    },
    end() {
      isOver = true;
      change();
    },
  };
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** The same database: while it works, time stands still. */
export function standStillFor(time: SimulatedTime, db: Database): Database {
  return {
    ...db,
    write: (scope, work, options) => time.working(() => db.write(scope, work, options)),
    exclusive: (scope, work) => time.working(() => db.exclusive(scope, work)),
    read: (scope, work) => time.working(() => db.read(scope, work)),
    list: (scope, work) => time.working(() => db.list(scope, work)),
    alone: (scope, text, values) => time.working(() => db.alone(scope, text, values)),
    query: (text, values) => time.working(() => db.query(text, values)),
    system: (work) => time.working(() => db.system(work)),
  };
}
