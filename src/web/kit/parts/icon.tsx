/** Shapes of 12 px, drawn in the colour of the text beside them. They say nothing that the text does not. */
const SHAPES = {
  check: 'M2.5 6.5 5 9l4.5-5.5',
  arc: 'M6 1.75A4.25 4.25 0 1 1 1.75 6',
  cross: 'M3 3l6 6M9 3 3 9',
  left: 'M10.5 6h-8M5.5 2.5 2 6l3.5 3.5',
  ring: 'M6 2.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7',
} as const;

export type Shape = keyof typeof SHAPES | 'triangle';

export const Icon = ({ shape }: { readonly shape: Shape }) => (
  <svg class="icon" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" focusable="false">
    {shape === 'triangle' ? (
      <path class="icon-filled" d="M6 1.5 11 10.5H1z" />
    ) : (
      <path d={SHAPES[shape]} />
    )}
  </svg>
);
