import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { countText } from '../text/amounts.ts';
import { Button } from './button.tsx';
import { useCatalogue } from './catalogue.ts';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { CodeIcon } from './icons.tsx';
import { curlLine, type LoggedRequest, type RequestPurpose } from './request-log.ts';
import { useStore } from './value-store.ts';

const GROUPED_PURPOSES: readonly (readonly [
  purpose: RequestPurpose,
  files: string,
  unit: string,
  use: string,
])[] = [
  ['cities', 'Cities of', 'country', 'for suggestions'],
  ['search', 'Search:', 'file', 'which have all names, places and filters'],
];

type ForDevelopersProps = {
  readonly purpose: RequestPurpose;
  readonly children?: ComponentChildren;
};

/** Links to the API and to the last request with this `purpose`. Collapsed, since guests do not need it. */
export function ForDevelopers({ purpose, children }: ForDevelopersProps) {
  const { requests, settings } = useCatalogue();
  const all = useStore(requests);
  const [isOpen, setOpen] = useState(false);
  const last = all.findLast((request) => request.purpose === purpose);
  return (
    <details class="developers">
      <summary>For developers</summary>
      <p class="links">
        {settings.docs && <a href="docs/">API reference</a>}
        <a href="openapi.json">OpenAPI document</a>
        <a href="problems.html">Problems of the API</a>
        <a href="index.json">Everything the catalogue offers</a>
      </p>
      <section class="request-strip beside" aria-label="Requests of this page">
        <CodeIcon />
        {last && <RequestLine request={last} />}
        <Button look="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {countText(all.length, 'request')}
        </Button>
      </section>
      {children}
      {isOpen && <RequestDialog requests={all} close={() => setOpen(false)} />}
    </details>
  );
}

function RequestLine({ request }: { request: LoggedRequest }) {
  return (
    <>
      <a class="request-url cut" href={request.url} title={request.url}>
        <span class="method">GET</span> {shown(request.url)}
      </a>
      <span class="beside">
        <CopyButton text={request.url} label="Copy URL" short="URL" />
        <CopyButton text={curlLine(request)} label="Copy curl line" short="curl" />
      </span>
    </>
  );
}

function shown(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search.replaceAll('%5B', '[').replaceAll('%5D', ']');
}

function RequestDialog({ requests, close }: { requests: readonly LoggedRequest[]; close: () => void }) {
  const newestFirst = requests.toReversed();
  const main = newestFirst.filter(({ purpose }) => GROUPED_PURPOSES.every(([many]) => many !== purpose));
  const groups = GROUPED_PURPOSES.map(
    ([many, ...words]) => [newestFirst.filter(({ purpose }) => purpose === many), ...words] as const,
  );
  return (
    <Dialog label="Requests of this page" className="dialog request-dialog" close={close}>
      <h2>Requests of this page</h2>
      <p class="quiet">
        Everything here comes from these requests to the public API. Each can be made again from a terminal.
      </p>
      <RequestItems requests={main} />
      {groups.map(
        ([made, files, unit, use]) =>
          made.length > 0 && (
            <details key={files}>
              <summary>
                {files} {countText(made.length, unit)}, {use}
              </summary>
              <RequestItems requests={made} />
            </details>
          ),
      )}
    </Dialog>
  );
}

function RequestItems({ requests }: { requests: readonly LoggedRequest[] }) {
  return (
    <ol class="request-list stack">
      {requests.map((request) => (
        <li key={request.number}>
          <p>
            <span class={`status ${request.status !== undefined && !isGood(request.status) ? 'bad' : ''}`}>
              {request.status === undefined ? '…' : request.status || 'failed'}
            </span>{' '}
            <span class="quiet">{request.milliseconds !== undefined && `${request.milliseconds} ms`}</span>
          </p>
          <code>{request.url}</code>
          <code>{curlLine(request)}</code>
          <p class="beside">
            <CopyButton text={request.url} label={`Copy URL of request ${request.number}`} short="Copy URL" />
            <CopyButton
              text={curlLine(request)}
              label={`Copy curl line of request ${request.number}`}
              short="Copy curl line"
            />
          </p>
        </li>
      ))}
    </ol>
  );
}

function isGood(status: number): boolean {
  return (status >= 200 && status < 300) || status === 304;
}
