import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../explorer/button.tsx';
import { CheckIcon } from '../explorer/icons.tsx';
import { countText } from '../text/amounts.ts';
import type { AuthoredValue } from './api.ts';
import type { FieldInfo } from './catalogue-info.ts';
import type { UnfinishedMerge } from './changes.ts';
import { ConflictChoice } from './conflict-panel.tsx';
import { displayValue } from './display-values.ts';
import { editorLinkProps, useEditor } from './editing-context.ts';
import { useInitialFocus } from './focus.ts';
import type { ConflictSide, MergeResponse, ReceivedConflict, RemoteResponse } from './git-remote.ts';
import { BranchIcon } from './icons.tsx';
import { WholeFileChoices } from './whole-file-choices.tsx';

export function NewerChangesNotice() {
  const { client, remote, refresh, announce } = useEditor();
  const [asked, setAsked] = useState<MergeResponse>();
  const [came, setCame] = useState<readonly string[]>();
  /** The remote state at the time when the newer changes were received. It is outdated, so it is not shown. */
  const [past, setPast] = useState<RemoteResponse | null>();
  const { newer = 0, newerSummaries = [] } = (remote.state !== past && remote.state) || {};
  const receive = async (mark: string, choices: Readonly<Record<string, ConflictSide>>) => {
    const answer = await remote.act('Getting the newer changes …', () => client.merge({ mark, choices }));
    setAsked(answer && answer.conflicts.length > 0 ? answer : undefined);
    if (!answer || answer.conflicts.length > 0) return;
    setCame(newerSummaries);
    setPast(remote.state);
    announce('The newer changes are here.');
    refresh();
  };
  if (remote.state?.merge) return null;
  if (asked)
    return (
      <ReceivedPanel key={asked.mark} asked={asked} receive={receive} close={() => setAsked(undefined)} />
    );
  if (newer === 0)
    return (
      came && (
        <div class="notice small stack tight">
          <p class="flow">
            The newer changes are here.
            <Button look="small" onClick={() => setCame(undefined)}>
              Close
            </Button>
          </p>
          <News news={came} />
        </div>
      )
    );
  return (
    <div class="notice small stack tight">
      <p class="flow">
        <span role="status">
          Your colleagues have {countText(newer, 'newer change')}. What you saved and recorded stays.
        </span>
        <Button look="small primary" aria-disabled={remote.busy !== ''} onClick={() => receive('', {})}>
          {newer === 1 ? 'Get it' : 'Get them'}
        </Button>
      </p>
      <News news={newerSummaries} />
    </div>
  );
}

function News({ news }: { readonly news: readonly string[] }) {
  return (
    <ul class="quiet stack tight">
      {news.map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  );
}

type ReceivedPanelProps = {
  readonly asked: MergeResponse;
  readonly receive: (mark: string, choices: Readonly<Record<string, ConflictSide>>) => void;
  readonly close: () => void;
};

function ReceivedPanel({ asked: { mark, conflicts }, receive, close }: ReceivedPanelProps) {
  const { catalogue, remote } = useEditor();
  useInitialFocus('#received-title');
  const [chosen, setChosen] = useState<Readonly<Record<string, ConflictSide>>>({});
  const isReady = conflicts.every(({ key }) => chosen[key]) && remote.busy === '';
  const infoOf = ({ field }: ReceivedConflict): Partial<FieldInfo> =>
    catalogue.fields.find(({ name }) => name === field) ?? {};
  const labelOf = (conflict: ReceivedConflict) =>
    `${conflict.title}: ${conflict.field === null ? 'the whole file' : (infoOf(conflict).label ?? conflict.field)}`;
  const shownSide = (conflict: ReceivedConflict, value: AuthoredValue | undefined) => {
    if (conflict.field === null && value === undefined) return 'Removed';
    const isPhoto = conflict.field === null && String(value).startsWith('data:image/');
    return isPhoto ? (
      <img class="version-photo" src={String(value)} alt={conflict.title} />
    ) : (
      displayValue(value, infoOf(conflict), catalogue)
    );
  };
  return (
    <section class="conflict notice" aria-labelledby="received-title">
      <h2 id="received-title" tabIndex={-1}>
        You and a colleague changed the same details
      </h2>
      <p role="alert">Nothing is changed yet: choose what to keep. All other changes of both stay.</p>
      {conflicts.map((conflict) => (
        <ConflictChoice
          key={conflict.key}
          name={conflict.key}
          label={labelOf(conflict)}
          shown={(side) => shownSide(conflict, conflict[side])}
          words={{ yours: 'Yours', theirs: "Your colleague's" }}
          chosen={chosen[conflict.key]}
          choose={(side) => setChosen({ ...chosen, [conflict.key]: side })}
        />
      ))}
      <p class="dialog-actions flow">
        <Button look="primary" aria-disabled={!isReady} onClick={() => isReady && receive(mark, chosen)}>
          Go on with these
        </Button>
        <Button onClick={close}>Not now</Button>
      </p>
    </section>
  );
}

export function RepositoryStateNotice() {
  const { remote, announce, refresh } = useEditor();
  const { state, busy } = remote;
  if (state?.merge)
    return (
      <div class="notice small">
        <p role="status">
          <MergeSentence merge={state.merge} />
        </p>
        {state.merge.whole.length > 0 && <WholeFileChoices merge={state.merge} />}
      </div>
    );
  if (!state || state.branch === state.main) return null;
  const goBack = async () => {
    if (!(await remote.switchBranch(state.main))) return;
    announce(`You are back in ${state.main}.`);
    refresh();
  };
  return (
    <div class="notice small">
      <p class="flow">
        <BranchIcon />
        <span role="status">
          {state.branch === null ? (
            'An earlier state of the catalogue is open.'
          ) : (
            <>
              You are in <code>{state.branch}</code>, kept apart from <code>{state.main}</code>, which all
              share.
            </>
          )}
        </span>
        <Button look="small" aria-disabled={busy !== ''} onClick={goBack}>
          Back to {state.main}
        </Button>
      </p>
    </div>
  );
}

function MergeSentence({ merge: { lead, open, rest } }: { readonly merge: UnfinishedMerge }) {
  const editor = useEditor();
  return (
    <>
      {lead}{' '}
      {open.map(({ path, title }, index) => (
        <Fragment key={path}>
          {index > 0 && ', '}
          <a {...editorLinkProps(editor, { kind: 'property', path })}>{title}</a>
        </Fragment>
      ))}
      {open.length > 0 && '. '}
      {rest}
    </>
  );
}

export function RemotePanel({ changed }: { readonly changed: number }) {
  const { remote } = useEditor();
  const { state, problem, busy } = remote;
  if (!state) return null;
  const steps = stepsOf(state, changed);
  return (
    <section class="remote panel stack" aria-label="Where your changes are">
      <ol class="steps flow">
        {steps.map(({ name, isDone }) => (
          <li key={name} class={isDone ? 'done' : ''}>
            {isDone && <CheckIcon />}
            {name}
            <span class="unseen">{isDone ? ': all' : ': not all yet'}</span>
          </li>
        ))}
      </ol>
      <p role="status">{busy || sentenceOf(state, changed)}</p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {!problem && state.problem && (
        <p class="quiet">{state.problem} It is tried again every five minutes.</p>
      )}
      {state.unrecorded.length > 0 && (
        <p class="quiet">
          Beside the content, and in no record: {listed(state.unrecorded)}. Changes records only the content:
          ask the colleague who set up the catalogue to record the rest with git, in a terminal (git add, git
          commit).
        </p>
      )}
      {!state.merge && <RemoteActions isRecorded={changed === 0 && state.hasRecords} />}
    </section>
  );
}

function RemoteActions({ isRecorded }: { readonly isRecorded: boolean }) {
  const { remote, refresh, announce } = useEditor();
  const { state, busy } = remote;
  if (!state) return null;
  const send = async () => {
    const sent = await remote.send();
    if (!sent) return;
    announce('Sent.');
    // The browser may block the window; the page also has a link.
    if (sent.mergeRequestUrl) window.open(sent.mergeRequestUrl, '_blank', 'noopener');
  };
  const open = async (branch: string) => {
    if (await remote.switchBranch(branch)) refresh();
  };
  return (
    <p class="flow">
      {state.unsent > 0 && (
        <Button look="primary" aria-disabled={busy !== ''} onClick={() => busy === '' && send()}>
          Send
        </Button>
      )}
      {state.remote !== null && (
        <Button aria-disabled={busy !== ''} onClick={() => busy === '' && remote.lookForChanges()}>
          Look for newer changes
        </Button>
      )}
      {state.mergeRequestUrl && state.unsent === 0 && (
        <a class="button" href={state.mergeRequestUrl} target="_blank" rel="noopener">
          Ask to join {state.main}
        </a>
      )}
      {state.hostingGuide && isRecorded && state.unsent === 0 && (
        <a class="button" href={state.hostingGuide} target="_blank" rel="noopener">
          How to publish
        </a>
      )}
      {state.unmergedBranches.map((branch) => (
        <Button key={branch} onClick={() => open(branch)}>
          <BranchIcon />
          Open {branch}
        </Button>
      ))}
    </p>
  );
}

const MAX_NAMED = 5;

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? `, and ${more} more` : '');
}

function stepsOf({ remote, unsent, isLive, hasRecords }: RemoteResponse, changed: number) {
  const isRecorded = changed === 0 && hasRecords;
  const isSent = isRecorded && remote !== null && unsent === 0;
  return [
    { name: 'Saved here', isDone: true },
    { name: 'Recorded', isDone: isRecorded },
    { name: 'Sent', isDone: isSent },
    { name: 'Live', isDone: isSent && isLive === true },
  ];
}

function sentenceOf(
  { remote, unsent, isLive, hostingGuide, branch, main, hasRecords, unrecorded }: RemoteResponse,
  changed: number,
): string {
  const all = unrecorded.length > 0 ? 'All of the content is' : 'All is';
  const files = changed > 0 ? `${countText(changed, 'change')} saved here, not recorded yet.` : '';
  if (!hasRecords) return `${files} Nothing is recorded yet, so there is nothing to send.`.trim();
  if (remote === null)
    return `${files || `${all} recorded.`} Records stay on this computer: nothing says where to send them. The colleague who set up the catalogue can add that.`;
  if (unsent > 0) return `${files} ${countText(unsent, 'record')} on this computer, not sent yet.`.trim();
  if (files) return files;
  if (branch !== main) return `${all} sent. It joins ${main} when a colleague accepts it.`;
  if (isLive) return `${all} sent, and guests see it.`;
  if (hostingGuide !== null)
    return `${all} sent. Guests cannot see it yet: the catalogue has no address on the internet. Ask the colleague who set it up to publish it, and to write its address into the settings.`;
  return isLive === null
    ? `${all} sent. Whether guests see it already cannot be known from here.`
    : `${all} sent. Guests see it after the next publication.`;
}
