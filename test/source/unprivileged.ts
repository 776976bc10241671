/** Permissions have no effect for the superuser, who runs the tests in many containers. */

/** Runs as a user without privileges when the current user is the superuser. */
export async function unprivileged<Result>(run: () => Result | Promise<Result>): Promise<Result> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await run();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
