import { useEffect, useMemo, useState } from 'preact/hooks';
import { coalesceCalls, type EditorClient, errorMessage } from './client.ts';
import type { RemoteResponse } from './git-remote.ts';

const POLL_INTERVAL = 5 * 60_000;
const UNTIL_LIVE = 60_000;

export type Remote = {
  /** Undefined before the first response; null if there is no state, such as without a Git repository. */
  readonly state: RemoteResponse | null | undefined;
  readonly problem: string;
  /** Text that is shown while a request runs; otherwise empty. */
  readonly busy: string;
  /** Shows `words` until the request ends. Returns undefined if it failed. */
  readonly act: <Answer>(words: string, request: () => Promise<Answer>) => Promise<Answer | undefined>;
  readonly reread: () => void;
  readonly lookForChanges: () => Promise<unknown>;
  readonly send: () => Promise<RemoteResponse | undefined>;
  readonly switchBranch: (branch: string) => Promise<RemoteResponse | undefined>;
};

export function useRemote(client: EditorClient, key: string): Remote {
  const [state, setState] = useState<Remote['state']>();
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState('');
  const read = useMemo(
    () => coalesceCalls(() => client.remote().then(setState, () => setState(null))),
    [client],
  );
  const act: Remote['act'] = async (words, request) => {
    setBusy(words);
    setProblem('');
    try {
      return await request();
    } catch (error) {
      setProblem(errorMessage(error));
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
  const look = () => client.fetch({}).then(setState, () => {});
  useEffect(() => void read(), [key]);
  useEffect(() => {
    if (state?.isLive !== false) return;
    const timer = setTimeout(read, UNTIL_LIVE);
    return () => clearTimeout(timer);
  }, [state]);
  useEffect(() => {
    void look();
    const timer = setInterval(look, POLL_INTERVAL);
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
    lookForChanges: () => answered('Looking for newer changes …', () => client.fetch({})),
    async send() {
      const sent = await answered('Sending …', () => client.push({}));
      // Colleagues may have pushed first. Looks for their commits, which must be merged before sending again.
      if (!sent) void look();
      return sent;
    },
    switchBranch: (branch) => answered(`Opening ${branch} …`, () => client.switchBranch({ branch })),
  };
}
