import { described, FieldFrame, type FieldProps } from './field.tsx';

/** One file. Browsers do not show again what was chosen before: say in the hint what has come. */
export const FileField = (
  props: FieldProps & {
    /** Media types, with commas between. */
    readonly accept: string;
  },
) => (
  <FieldFrame {...props}>
    <input
      id={props.name}
      name={props.name}
      type="file"
      accept={props.accept}
      class="input input-file"
      {...described(props)}
    />
  </FieldFrame>
);
