import { Worker, type WorkflowBundle } from '@temporalio/worker';

/** What the SDK makes workflows with: a thread whose isolate has loaded the bundle. */
interface WorkflowCreator {
  readonly workerThreadClients: readonly { readonly workerThread: { unref(): void } }[];
  createWorkflow(options: unknown): Promise<unknown>;
  destroy(): Promise<void>;
}

interface CompiledOptions {
  readonly workflowBundle?: WorkflowBundle;
  readonly activities: ReadonlyMap<string, unknown>;
  /** Workflow code runs on the main thread, as in a replay. */
  readonly debugMode: boolean;
}

/** Steps of `Worker.create` that the SDK keeps to itself. */
interface WorkerSteps {
  getOrCreateBundle(options: CompiledOptions, ...rest: unknown[]): Promise<object | undefined>;
  createWorkflowCreator(
    bundle: object,
    options: CompiledOptions,
    ...rest: unknown[]
  ): Promise<WorkflowCreator>;
}

/** On the global object: every test file has modules of its own. */
const isShared = Symbol.for('causeway.test.areWorkflowThreadsShared');

/**
 * One thread for all workers of a process that run the same bundle, whatever their queue and file. To load the
 * bundle takes half a second of a processor, and a whole worker loads it four times.
 */
export function shareWorkflowThreads(): void {
  if (isShared in globalThis) return;
  Object.defineProperty(globalThis, isShared, { value: true });
  const steps = Worker as unknown as WorkerSteps;
  const bundles = new Map<string, Promise<object | undefined>>();
  const creators = new Map<string | undefined, Map<string, Promise<WorkflowCreator>>>();
  const bundleOf = steps.getOrCreateBundle.bind(Worker);
  const creatorOf = steps.createWorkflowCreator.bind(Worker);

  steps.getOrCreateBundle = (options, ...rest) => {
    const { workflowBundle } = options;
    if (workflowBundle === undefined || !('code' in workflowBundle)) {
      return bundleOf(options, ...rest);
    }
    return madeOnce(bundles, workflowBundle.code, () => bundleOf(options, ...rest));
  };

  steps.createWorkflowCreator = async (bundle, options, ...rest) => {
    if (options.debugMode) return creatorOf(bundle, options, ...rest);
    // Workflow code knows which activities its worker has.
    const names = [...options.activities.keys()].sort().join();
    const { workflowBundle } = options;
    const code = workflowBundle && 'code' in workflowBundle ? workflowBundle.code : undefined;
    const ofBundle = creators.get(code) ?? new Map<string, Promise<WorkflowCreator>>();
    creators.set(code, ofBundle);
    const creator = await madeOnce(ofBundle, names, async () => {
      const made = await creatorOf(bundle, options, ...rest);
      for (const { workerThread } of made.workerThreadClients) workerThread.unref();
      return made;
    });
    return {
      workerThreadClients: creator.workerThreadClients,
      createWorkflow: (given) => creator.createWorkflow(given),
      // The next worker goes on with it.
      destroy: () => Promise.resolve(),
    };
  };
}

function madeOnce<Made>(
  all: Map<string, Promise<Made>>,
  key: string,
  make: () => Promise<Made>,
): Promise<Made> {
  const known = all.get(key);
  if (known !== undefined) return known;
  const made = make();
  all.set(key, made);
  made.catch(() => all.delete(key));
  return made;
}
