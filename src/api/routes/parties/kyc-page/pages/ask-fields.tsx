import type { KycUploadRow } from '../../../../../db/parties/kyc-upload-store.ts';
import {
  missingAsks,
  WAYS_TO_ANSWER,
  type KycAsk,
} from '../../../../../domain/parties/kyc/document-asks.ts';
import type { KycDocumentType } from '../../../../../domain/parties/kyc/kyc-document.ts';
import type { FieldProblem } from '../../../../../web/kit/forms/form-rules.ts';
import { Chip } from '../../../../../web/kit/parts/chip.tsx';
import { FileField } from '../../../../../web/kit/parts/file-field.tsx';
import { ASK_NAMES, ASK_TEXTS, DOCUMENT_NAMES } from './document-names.ts';

const ACCEPT = 'image/jpeg,image/png,application/pdf';

interface Given {
  readonly isCompany: boolean;
  /** Documents were asked for once more: any one will do. */
  readonly isAgain: boolean;
  readonly uploads: readonly KycUploadRow[];
  readonly problems: readonly FieldProblem[];
}

const Document = ({
  type,
  uploads,
  problems,
}: Pick<Given, 'uploads' | 'problems'> & { readonly type: KycDocumentType }) => (
  <FileField
    name={type}
    label={DOCUMENT_NAMES[type]}
    accept={ACCEPT}
    problems={problems}
    {...(uploads.some((upload) => upload.type === type) && {
      hint: 'Received. A file that you choose here takes its place.',
    })}
  />
);

/** Two or more documents that may be given instead of the first: shown where one of them is wanted. */
const OtherWay = ({ way, ...given }: Given & { readonly way: readonly KycDocumentType[] }) => {
  const isOpen = way.some(
    (type) =>
      given.uploads.some((upload) => upload.type === type) ||
      given.problems.some(({ field }) => field === type),
  );
  return (
    <details open={isOpen}>
      <summary>Or: {way.map((type) => DOCUMENT_NAMES[type].toLowerCase()).join(' and ')}</summary>
      {way.map((type) => (
        <Document key={type} type={type} {...given} />
      ))}
    </details>
  );
};

const Ask = ({ ask, ...given }: Given & { readonly ask: KycAsk }) => {
  const [first = [], ...others] = WAYS_TO_ANSWER[ask];
  const types = given.uploads.map(({ type }) => type);
  const isMissing = missingAsks([ask], types).length > 0;
  return (
    <fieldset>
      <legend>{ASK_NAMES[ask]}</legend>
      <p class="muted">
        {ASK_TEXTS[ask]}
        {ask === 'IDENTITY' && given.isCompany ? ' Of the person who represents the company.' : ''}
      </p>
      {isMissing && given.isAgain ? null : (
        <p>
          <Chip tone={isMissing ? 'wait' : 'ok'} text={isMissing ? 'Needed' : 'Received'} />
        </p>
      )}
      {first.map((type) => (
        <Document key={type} type={type} {...given} />
      ))}
      {others.map((way) => (
        <OtherWay key={way.join()} way={way} {...given} />
      ))}
    </fieldset>
  );
};

/** A field for each document that may be given, by what it answers. */
export const AskFields = (
  props: Omit<Given, 'isCompany'> & { readonly asks: readonly KycAsk[] },
) => {
  const { asks, ...rest } = props;
  const given = { ...rest, isCompany: asks.includes('COMPANY_REGISTER') };
  return (
    <>
      {asks.map((ask) => (
        <Ask key={ask} ask={ask} {...given} />
      ))}
      <fieldset>
        <legend>Something else</legend>
        <p class="muted">Only if you were asked for it.</p>
        <Document type="OTHER" {...given} />
      </fieldset>
    </>
  );
};
