/** Follows where records are, and looks for those of colleagues. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type EditorClient, messageOf, oneAtATime } from './client.ts';
import type { RemoteResponse } from './remote.ts';

const BETWEEN = 5 * 60_000;
/** Milliseconds after which the published catalogue is asked again, until it has the last record. */
const UNTIL_LIVE = 60_000;

export type Remote = {
  /** Undefined before the first answer, and without a repository. */
  readonly state: RemoteResponse | undefined;
  /** Why the last request failed; empty when it did not. */
  readonly problem: string;
  /** Words for what is being done; empty while nothing is. */
  readonly busy: string;
  /** Runs a request, and shows its answer. Undefined when it failed. */
  readonly act: <Answer>(words: string, request: () => Promise<Answer>) => Promise<Answer | undefined>;
  /** Reads the state again, without the network. */
  readonly reread: () => void;
  readonly look: () => Promise<unknown>;
  readonly send: () => Promise<RemoteResponse | undefined>;
  readonly openBranch: (branch: string) => Promise<RemoteResponse | undefined>;
};

/** @param key changes with every record, and whenever files change. */
export function useRemote(client: EditorClient, key: string): Remote {
  const [state, setState] = useState<RemoteResponse>();
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState('');
  const read = useMemo(
    () => oneAtATime(() => client.remote().then(setState, () => setState(undefined))),
    [client],
  );
  const act: Remote['act'] = async (words, request) => {
    setBusy(words);
    setProblem('');
    try {
      return await request();
    } catch (error) {
      setProblem(messageOf(error));
      return undefined;
    } finally {
      setBusy('');
      void read();
    }
  };
  const answered = async (words: string, request: () => Promise<RemoteResponse>) => {
    const answer = await act(words, request);
    if (answer) setState(answer);
    return answer;
  };
  const look = () => client.look({}).then(setState, () => {});
  useEffect(() => void read(), [key]);
  useEffect(() => {
    if (state?.isLive !== false) return;
    const timer = setTimeout(read, UNTIL_LIVE);
    return () => clearTimeout(timer);
  }, [state]);
  useEffect(() => {
    void look();
    const timer = setInterval(look, BETWEEN);
    addEventListener('online', look);
    return () => {
      clearInterval(timer);
      removeEventListener('online', look);
    };
  }, [client]);
  return {
    state,
    problem,
    busy,
    act,
    reread: () => void read(),
    look: () => answered('Looking for newer changes …', () => client.look({})),
    send: () => answered('Sending …', () => client.send({})),
    openBranch: (branch) => answered(`Opening ${branch} …`, () => client.openBranch({ branch })),
  };
}
