import type { FieldProblem } from '../forms/form-rules.ts';

/** What is wrong with a form, each line a link to its field. Read out as soon as the page is there. */
export const ErrorSummary = ({ problems }: { readonly problems: readonly FieldProblem[] }) =>
  problems.length === 0 ? null : (
    <div class="summary" role="alert" id="summary" tabIndex={-1}>
      <ul>
        {problems.map(({ field, message, more }) => (
          <li key={field}>
            <a href={`#${field}`}>{message}</a>
            {more === undefined ? null : ` ${more}`}
          </li>
        ))}
      </ul>
    </div>
  );
