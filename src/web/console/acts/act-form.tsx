import { REASON } from '../../../modules/operations/acts/act-input.ts';
import type {
  ActEntry,
  ActInput,
  ActInputs,
  ActValues,
} from '../../../modules/operations/acts/operator-act.ts';
import type { FieldProblem } from '../../kit/forms/form-rules.ts';
import { Card } from '../../kit/parts/card.tsx';
import { SelectField, TextField } from '../../kit/parts/field.tsx';
import { Form } from '../../kit/parts/form.tsx';
import { PageHead } from '../../kit/parts/page-head.tsx';
import type { TimeText } from '../../kit/time-text.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import type { ActView } from './act-view.ts';

interface ActFormProps<Subject, Inputs extends ActInputs> {
  readonly entry: ActEntry<Subject, Inputs>;
  readonly view: ActView<Subject, Inputs>;
  readonly subject: Subject;
  readonly values: Partial<ActValues<Inputs>>;
  readonly reason: string;
  readonly problems: readonly FieldProblem[];
  readonly action: string;
  readonly token: string;
  readonly deps: ConsoleDeps;
  readonly times: TimeText;
}

/** The page of an act: what it does, what it is about, and its form. */
export const ActForm = <Subject, Inputs extends ActInputs>(
  props: ActFormProps<Subject, Inputs>,
) => {
  const { entry, view, subject, values, reason, problems, action, token, deps, times } = props;
  const { title, submit, summary, decidedBy, isDangerous = false, isReasonAsked = true } = entry;
  return (
    <>
      <PageHead title={title} trail={view.trail(subject)} />
      <Card title="What it does">
        <p>
          {summary}
          {decidedBy === 'TWO' ? ' Nothing changes until another operator approves it.' : ''}
        </p>
        {view.facts?.(subject, values, { deps, times })}
      </Card>
      <Card title={submit}>
        <Form {...{ action, token, submit, problems, isDangerous }}>
          {Object.entries(entry.seen?.(subject) ?? {}).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {Object.entries(entry.inputs).map(([name, input]) => {
            const own = view.fields?.[name];
            const value = (values as Readonly<Record<string, string | undefined>>)[name];
            if (own !== undefined) return own({ subject, value, problems });
            return <InputField key={name} {...{ name, input, value, problems }} />;
          })}
          {isReasonAsked ? (
            <InputField
              name="reason"
              input={{ ...REASON, hint: entry.reasonHint ?? REASON.hint }}
              value={reason}
              problems={problems}
            />
          ) : null}
        </Form>
      </Card>
    </>
  );
};

const InputField = (props: {
  readonly name: string;
  readonly input: ActInput;
  readonly value: string | undefined;
  readonly problems: readonly FieldProblem[];
}) => {
  const { name, input, problems } = props;
  const { label, hint, choices, keyboard, isOptional = false } = input;
  const value = props.value ?? '';
  if (choices === undefined) {
    return (
      <TextField
        {...{ name, label, hint, value, problems, isRequired: !isOptional }}
        type={keyboard === 'email' ? 'email' : 'text'}
        inputMode={keyboard === 'numeric' ? 'numeric' : undefined}
      />
    );
  }
  const known = choices.map((one) => ({ value: one.value, text: one.text ?? one.value }));
  const options = isOptional ? [{ value: '', text: 'All' }, ...known] : known;
  return <SelectField {...{ name, label, hint, value, problems, options }} />;
};
