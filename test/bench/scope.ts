/** What a part of a run has opened; closing it undoes that, newest first. */
export interface RunScope {
  /** Fires when the whole bench is to stop. */
  readonly signal: AbortSignal;
  /** Remembers what undoes something; it must not wait for ever, and may be told to run only once. */
  defer(undo: () => Promise<void> | void): void;
  /** A scope that is closed with this one at the latest. */
  child(): RunScope;
  /** Undoes everything, also where one of the steps fails. A second call waits for the first. */
  close(): Promise<void>;
}

/** Opens a scope. `onTrouble` hears of what could not be undone. */
export function openScope(signal: AbortSignal, onTrouble: (error: unknown) => void): RunScope {
  const undos: (() => Promise<void> | void)[] = [];
  let closing: Promise<void> | null = null;

  async function undoAll(): Promise<void> {
    for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
      try {
        await undo();
      } catch (error) {
        onTrouble(error);
      }
    }
  }

  const scope: RunScope = {
    signal,
    defer(undo) {
      undos.push(undo);
      // What is opened while everything is being closed is closed as well.
      if (closing !== null) closing = closing.then(undoAll);
    },
    child() {
      const inner = openScope(signal, onTrouble);
      undos.push(() => inner.close());
      return inner;
    },
    async close() {
      closing ??= undoAll();
      await closing;
    },
  };
  return scope;
}
