import type { KycUploadRow } from '../../../../../db/parties/kyc-upload-store.ts';
import type { KycAsk } from '../../../../../domain/parties/kyc/document-asks.ts';
import type { KycReason } from '../../../../../domain/parties/kyc/kyc-reasons.ts';
import type { KycFact } from '../../../../../modules/parties/kyc/given-facts.ts';
import type { FieldProblem } from '../../../../../web/kit/forms/form-rules.ts';
import { Card } from '../../../../../web/kit/parts/card.tsx';
import { ErrorSummary } from '../../../../../web/kit/parts/error-summary.tsx';
import { Facts } from '../../../../../web/kit/parts/facts.tsx';
import { Gate } from '../../../../../web/kit/parts/gate.tsx';
import { AskFields } from './ask-fields.tsx';
import { FACT_NAMES } from './document-names.ts';
import { UploadList } from './upload-list.tsx';

/** What is asked for, a form for it, what has come so far, and the button that hands it in. */
export const GivePage = (props: {
  readonly path: string;
  readonly customerName: string;
  /** It is the customer's own company that is checked. */
  readonly isCompany: boolean;
  readonly isTest: boolean;
  /** Documents were asked for once more. */
  readonly hasToRedo: boolean;
  readonly reasons: readonly KycReason[];
  readonly asks: readonly KycAsk[];
  readonly facts: readonly (readonly [KycFact, boolean])[];
  readonly uploads: readonly KycUploadRow[];
  readonly problems: readonly FieldProblem[];
}) => {
  const { path, customerName, isCompany, problems, uploads } = props;
  return (
    <Gate isWide home={null}>
      <h1>{props.hasToRedo ? 'Please send documents again' : confirmText(isCompany)}</h1>
      <p>
        {isCompany ? (
          'Your company is checked before it goes live.'
        ) : (
          <>
            <b>{customerName}</b> has asked us to check who you are before money is sent for you.
          </>
        )}{' '}
        {props.hasToRedo
          ? 'Upload anew what was not accepted, then send it.'
          : 'Upload what is asked for below, then send it.'}{' '}
        Files may be JPEG or PNG pictures or PDFs of up to 10 MB, six at most.
      </p>
      {props.isTest ? <NoRealDocuments /> : null}
      {props.hasToRedo && props.reasons.length > 0 ? (
        <Card title="Why">
          <ul>
            {props.reasons.map(({ code, message }) => (
              <li key={code}>{message}</li>
            ))}
          </ul>
        </Card>
      ) : null}
      <form
        class="asks"
        id="documents"
        method="post"
        action={`${path}/documents`}
        encType="multipart/form-data"
        tabIndex={-1}
      >
        <ErrorSummary problems={problems} />
        <AskFields {...{ uploads, problems }} asks={props.asks} isAgain={props.hasToRedo} />
        <button type="submit" class="button">
          Upload
        </button>
      </form>
      <UploadList path={path} uploads={uploads} />
      <Card title="What the check goes by">
        <Facts
          facts={props.facts.map(([fact, isGiven]) => [
            FACT_NAMES[fact],
            isGiven ? `given ${isCompany ? 'on' : 'by'} ${customerName}` : 'not given',
          ])}
        />
        <p class="field-hint">
          {isCompany
            ? 'Something is wrong or missing? Change it on the dashboard, under Going live.'
            : `Something is wrong or missing? Tell ${customerName}: it cannot be changed here.`}
        </p>
      </Card>
    </Gate>
  );
};

const confirmText = (isCompany: boolean): string =>
  isCompany ? 'Confirm which company you are' : 'Confirm who you are';

/** On pages of the test environment: no one's passport belongs there. */
const NoRealDocuments = () => (
  <p class="notice">This is a test. Do not upload documents of real people.</p>
);
