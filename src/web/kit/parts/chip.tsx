import { Icon, type Shape } from './icon.tsx';

/** What a state means to who reads it; colour, shape and word say it together. */
export type Tone = 'ok' | 'moving' | 'wait' | 'bad' | 'back' | 'none';

const SHAPE_OF: Readonly<Record<Tone, Shape>> = {
  ok: 'check',
  moving: 'arc',
  wait: 'triangle',
  bad: 'cross',
  back: 'left',
  none: 'ring',
};

/** A state as a chip shows it. */
export interface ChipProps {
  readonly tone: Tone;
  readonly text: string;
}

export const Chip = ({ tone, text }: ChipProps) => (
  <span class={`chip chip-${tone}`}>
    <Icon shape={SHAPE_OF[tone]} />
    {text}
  </span>
);
