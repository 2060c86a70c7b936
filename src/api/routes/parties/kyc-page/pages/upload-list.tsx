import type { KycUploadRow } from '../../../../../db/parties/kyc-upload-store.ts';
import { Card } from '../../../../../web/kit/parts/card.tsx';
import { CONTENT_NAMES, DOCUMENT_NAMES, sizeText, timeText } from './document-names.ts';

/** What was uploaded, how to take it back, and the one button that hands it in. It shows no contents. */
export const UploadList = (props: {
  readonly path: string;
  readonly uploads: readonly KycUploadRow[];
}) => (
  <Card title="Received so far" aside={String(props.uploads.length)}>
    {props.uploads.length === 0 ? (
      <p class="muted">Nothing yet. What you upload is kept until your link runs out.</p>
    ) : (
      <>
        <ul class="received">
          {props.uploads.map(({ id, type, contentType, byteCount, createdAt }) => (
            <li key={id}>
              <span>
                <b>{DOCUMENT_NAMES[type]}</b>{' '}
                <span class="muted">
                  {CONTENT_NAMES[contentType]}, {sizeText(byteCount)}, {timeText(createdAt)}
                </span>
              </span>
              <form method="post" action={`${props.path}/documents/${type}/removal`}>
                <button type="submit" class="button button-plain">
                  Remove<span class="spoken"> {DOCUMENT_NAMES[type]}</span>
                </button>
              </form>
            </li>
          ))}
        </ul>
        <form method="post" action={`${props.path}/submission`}>
          <p class="muted">Once they are sent they cannot be changed.</p>
          <button type="submit" class="button">
            Send to be checked
          </button>
        </form>
      </>
    )}
  </Card>
);
