import type { GitHub } from './client.js';

/** The parts of a comment that say who wrote it. */
interface Signed {
  readonly user: { readonly id: number; readonly login: string; readonly type: string } | null;
  readonly performed_via_github_app?: object | null;
}

/**
 * Who we are: one GraphQL request, made only when a marked comment exists. GET /user is closed to a workflow's token;
 * `viewer` answers for it (github-actions[bot]), for an App and for a person's token alike.
 * Where GraphQL does not answer, only what a bot wrote counts: never a person's comment, at the price of a second
 * comment when the token is a person's.
 */
export async function authorCheck(github: GitHub): Promise<(comment: Signed) => boolean> {
  const asked = await github.ask('ask whose token this is', (octokit) =>
    octokit.graphql<{ viewer?: { login?: string; databaseId?: number | null } }>(
      'query { viewer { login databaseId } }',
    ),
  );
  const viewer = asked.kind === 'ok' ? asked.value.viewer : undefined;
  if (viewer?.databaseId) return ({ user }) => user?.id === viewer.databaseId;
  if (viewer?.login) return ({ user }) => user?.login === viewer.login;
  return ({ user, performed_via_github_app }) =>
    user?.type === 'Bot' &&
    (user.login === 'github-actions[bot]' || Boolean(performed_via_github_app));
}
