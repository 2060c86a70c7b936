import type { FxLeg } from './fx-leg.ts';

/** Answers rates. Adapters differ in where they look; all of them throw FxSourceError when they fail. */
export interface FxSource {
  /** Written into every leg as its `source`; no "+" in it. */
  readonly name: string;
  fetch(): Promise<FxLeg[]>;
}

/** A source did not answer, or not with what it should. The message is for operators. */
export class FxSourceError extends Error {
  readonly source: string;

  constructor(source: string, problem: string, options?: ErrorOptions) {
    super(`FX source ${source}: ${problem}`, options);
    this.name = 'FxSourceError';
    this.source = source;
  }
}
