import type { FieldProblem } from '../forms/form-rules.ts';

interface Choice {
  readonly value: string;
  readonly text: string;
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly choices: readonly Choice[];
  readonly problems?: readonly FieldProblem[];
}

/** One of a few that are all seen at once. */
export const RadioField = (props: ChoiceProps & { readonly value: string }) => (
  <Choices {...props} type="radio" chosen={[props.value]} />
);

/** Any of many: each that is ticked is sent under the same name. */
export const BoxesField = (props: ChoiceProps & { readonly values: readonly string[] }) => (
  <Choices {...props} type="checkbox" chosen={props.values} />
);

// The first choice has the field's name as its id: an error summary leads there.
const Choices = (
  props: ChoiceProps & {
    readonly type: 'radio' | 'checkbox';
    readonly chosen: readonly string[];
  },
) => {
  const { name, type, chosen, problems = [] } = props;
  const problem = problems.find(({ field }) => field === name);
  const said = [
    ...(problem === undefined ? [] : [`${name}-problem`]),
    ...(props.hint === undefined ? [] : [`${name}-hint`]),
  ].join(' ');
  return (
    <fieldset
      class={problem === undefined ? 'choices' : 'choices field-wrong'}
      aria-describedby={said === '' ? undefined : said}
    >
      <legend>{props.label}</legend>
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
      <div class={type === 'radio' ? 'choices-few' : 'choices-many'}>
        {props.choices.map(({ value, text }, nth) => (
          <label key={value}>
            <input
              {...{ type: type as 'radio' }}
              id={nth === 0 ? name : `${name}-${String(nth)}`}
              name={name}
              value={value}
              checked={chosen.includes(value)}
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
};
