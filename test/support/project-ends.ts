import { channel, subscribe } from 'node:diagnostics_channel';
import type { Reporter, TestModule, TestProject, TestSpecification, Vitest } from 'vitest/node';

/** Gets the name of each project whose last file has ended. Set-ups and reporters share no module, so it is global. */
const ENDED = 'causeway:test-project-ended';

/** Tells set-ups when the last file of their project has ended, so that servers do not run to the end of all projects. */
export default class ProjectEnds implements Reporter {
  readonly #left = new Map<string, number>();

  #isWatching = false;

  /** In watch mode the same servers serve the next run. */
  onInit({ config }: Vitest): void {
    this.#isWatching = config.watch;
  }

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#left.clear();
    for (const { project } of files) this.#count(project.name, 1);
  }

  onTestModuleEnd({ project }: TestModule): void {
    if (this.#count(project.name, -1) === 0 && !this.#isWatching)
      channel(ENDED).publish(project.name);
  }

  #count(name: string, change: number): number {
    const left = (this.#left.get(name) ?? 0) + change;
    this.#left.set(name, left);
    return left;
  }
}

/**
 * Runs `stop` once: when the last file of the project has ended, or at the end of the run.
 * @returns what a set-up returns to vitest: it resolves when `stop` has.
 */
export function stopWithProject(
  { name }: TestProject,
  stop: () => Promise<void>,
): () => Promise<void> {
  let stopped: Promise<void> | null = null;
  const stopOnce = (): Promise<void> => (stopped ??= stop());
  subscribe(ENDED, (ended) => {
    // What fails is told at the end of the run, where it is awaited.
    if (ended === name) stopOnce().catch(() => undefined);
  });
  return stopOnce;
}
