import type { Children } from './types.ts';

export interface TimelineStep {
  readonly state: 'done' | 'now' | 'next';
  readonly title: string;
  /** More about it, beside its title. */
  readonly detail?: Children;
  /** When it was, or by when it is expected. */
  readonly time: string;
}

const SPOKEN = { done: 'Done: ', now: 'Now: ', next: 'Next: ' } as const;

/** What happened, what is happening, and what comes next and when. */
export const Timeline = ({ steps }: { readonly steps: readonly TimelineStep[] }) => (
  <ol class="timeline">
    {steps.map(({ state, title, detail, time }) => (
      <li key={`${title} ${time}`} class={`timeline-${state}`}>
        <p>
          <span class="spoken">{SPOKEN[state]}</span>
          <b>{title}</b> {state === 'next' && detail !== undefined ? <>({detail})</> : detail}
        </p>
        <p class="timeline-time">{time}</p>
      </li>
    ))}
  </ol>
);
