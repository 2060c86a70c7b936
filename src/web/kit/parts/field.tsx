import type { FieldProblem } from '../forms/form-rules.ts';
import type { Children } from './types.ts';

export interface FieldProps {
  /** The name it is sent under, and its id on the page. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly problems?: readonly FieldProblem[];
}

/** Ids of what is said about a field. */
const hintId = (name: string): string => `${name}-hint`;
const problemId = (name: string): string => `${name}-problem`;

const problemOf = ({ name, problems = [] }: FieldProps): FieldProblem | undefined =>
  problems.find((problem) => problem.field === name);

/** How assistive technology learns what is said about a field. */
export function described(props: FieldProps) {
  const ids = [
    ...(problemOf(props) === undefined ? [] : [problemId(props.name)]),
    ...(props.hint === undefined ? [] : [hintId(props.name)]),
  ];
  return {
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
    'aria-invalid': problemOf(props) === undefined ? undefined : true,
  };
}

/** A label, the field, and what is said about it. */
export const FieldFrame = (props: FieldProps & { readonly children: Children }) => {
  const problem = problemOf(props);
  return (
    <div class={problem === undefined ? 'field' : 'field field-wrong'}>
      <label for={props.name}>{props.label}</label>
      {props.children}
      {problem === undefined ? null : (
        <p class="field-problem" id={problemId(props.name)}>
          {problem.message}
        </p>
      )}
      {props.hint === undefined ? null : (
        <p class="field-hint" id={hintId(props.name)}>
          {props.hint}
        </p>
      )}
    </div>
  );
};

/** One line of text. What was sent before stands in it again. */
export const TextField = (
  props: FieldProps & {
    readonly value?: string;
    readonly type?: 'text' | 'email' | 'search' | 'date';
    readonly autocomplete?: string;
    readonly inputMode?: 'numeric' | 'decimal';
    readonly isCode?: boolean;
    readonly isRequired?: boolean;
  },
) => (
  <FieldFrame {...props}>
    <input
      id={props.name}
      name={props.name}
      // Preact's types tell the kinds of inputs apart; all of these are lines of text.
      {...({ type: props.type ?? 'text' } as { type: 'text' })}
      class={props.isCode === true ? 'input input-code' : 'input'}
      value={props.value}
      autocomplete={props.autocomplete ?? 'off'}
      inputMode={props.inputMode}
      required={props.isRequired}
      {...described(props)}
    />
  </FieldFrame>
);

/** Some lines of text. */
export const TextAreaField = (
  props: FieldProps & {
    readonly value?: string;
    readonly rows: number;
    readonly isRequired?: boolean;
  },
) => (
  <FieldFrame {...props}>
    <textarea
      id={props.name}
      name={props.name}
      class="input"
      rows={props.rows}
      autocomplete="off"
      required={props.isRequired}
      {...described(props)}
    >
      {props.value}
    </textarea>
  </FieldFrame>
);

/** One of a few. */
export const SelectField = (
  props: FieldProps & {
    readonly value?: string;
    readonly options: readonly { readonly value: string; readonly text: string }[];
  },
) => (
  <FieldFrame {...props}>
    <select id={props.name} name={props.name} class="input" {...described(props)}>
      {props.options.map(({ value, text }) => (
        <option key={value} value={value} selected={value === props.value}>
          {text}
        </option>
      ))}
    </select>
  </FieldFrame>
);
