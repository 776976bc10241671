/** Remotes: `https://host/owner/name.git`, `ssh://git@host:22/owner/name.git`, `git@host:owner/name.git`. */
const URLS: readonly RegExp[] = [
  /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?(?<host>[^/:]+)(?<port>:\d+)?\/(?<path>.+?)(?:\.git)?\/?$/,
  /^(?:[^@/\s]+@)?(?<host>[^/:\s]+):(?!\/\/)(?<path>.+?)(?:\.git)?\/?$/,
];

export function pullRequestUrl(url: string, branch: string, main: string): string | null {
  const { host: named = '', path = '' } = URLS.map((form) => form.exec(url)?.groups).find(Boolean) ?? {};
  // For SSH over port 443, GitHub and GitLab have another host: `ssh.github.com`, `altssh.gitlab.com`.
  const host = named.replace(/^(?:alt)?ssh\./, '');
  const inPath = branch.split('/').map(encodeURIComponent).join('/');
  if (/(?:^|\.)github\./i.test(host))
    return `https://${host}/${path}/compare/${encodeURIComponent(main)}...${inPath}?expand=1`;
  if (/(?:^|\.)gitlab\./i.test(host)) {
    const query = new URLSearchParams({ 'merge_request[source_branch]': branch });
    return `https://${host}/${path}/-/merge_requests/new?${query}`;
  }
  return null;
}
