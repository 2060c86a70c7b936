import type { WordsAndCode } from '../words/bank-answer-words.ts';

/** Words, and the code that they stand for small beside them. */
export const Coded = ({ words, code }: WordsAndCode) => (
  <>
    {words}
    {code === null ? null : (
      <>
        {' '}
        <code class="code-beside">{code}</code>
      </>
    )}
  </>
);
