/** Nothing can be said about the invariants, good or bad: the input does not allow a look. */
export class UnusableInput extends Error {
  override readonly name = 'UnusableInput';
}
