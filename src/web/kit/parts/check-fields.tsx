import type { FieldProblem } from '../forms/form-rules.ts';

/** Boxes that are sent under one name, each with its value: as many as are ticked. */
export const CheckFields = (props: {
  /** The name they are sent under, and the first one's id on the page. */
  readonly name: string;
  readonly legend: string;
  readonly hint?: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly ticked: readonly string[];
  readonly problems?: readonly FieldProblem[];
}) => {
  const { name, options, ticked, problems = [] } = props;
  const problem = problems.find(({ field }) => field === name);
  const hints = [problem && `${name}-problem`, props.hint && `${name}-hint`].filter(Boolean);
  return (
    <fieldset
      class={problem === undefined ? 'checks' : 'checks field-wrong'}
      aria-describedby={hints.length === 0 ? undefined : hints.join(' ')}
    >
      <legend>{props.legend}</legend>
      {problem === undefined ? null : (
        <p class="field-problem" id={`${name}-problem`}>
          {problem.message}
        </p>
      )}
      {props.hint === undefined ? null : (
        <p class="field-hint" id={`${name}-hint`}>
          {props.hint}
        </p>
      )}
      <div>
        {options.map(({ value, text }, index) => (
          <label key={value}>
            <input
              type="checkbox"
              id={index === 0 ? name : undefined}
              name={name}
              value={value}
              checked={ticked.includes(value)}
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
};
