import { Chip, type Tone } from './chip.tsx';
import type { Children } from './types.ts';

export interface ChecklistItem {
  readonly title: string;
  readonly tone: Tone;
  /** Where it stands, in a word or two. */
  readonly state: string;
  readonly about: Children;
  /** What can be done about it: a link or a form. */
  readonly action?: Children;
}

/** What it takes, in order, and where each of it stands. */
export const Checklist = ({ items }: { readonly items: readonly ChecklistItem[] }) => (
  <ol class="checklist">
    {items.map(({ title, tone, state, about, action }) => (
      <li key={title}>
        <div class="checklist-head">
          <h3>{title}</h3>
          <Chip tone={tone} text={state} />
        </div>
        <div class="muted">{about}</div>
        {action}
      </li>
    ))}
  </ol>
);
