import { type AnsweredComment, fieldsOf, isNumber } from './answers.js';
import type { GitHub } from './client.js';

/** The parts of a comment that say who wrote it. */
type Signed = Pick<AnsweredComment, 'user' | 'app'>;

/**
 * Who we are: one GraphQL request, made only when a marked comment exists. GET /user is closed to a workflow's token;
 * `viewer` answers for it (github-actions[bot]), for an App and for a person's token alike.
 * Where GraphQL does not answer, or answers something else, only what a bot wrote counts: never a person's comment, at
 * the price of a second comment when the token is a person's.
 */
export async function authorCheck(github: GitHub): Promise<(comment: Signed) => boolean> {
  const asked = await github.ask('ask whose token this is', (octokit) =>
    octokit.graphql<unknown>('query { viewer { login databaseId } }'),
  );
  const viewer = asked.kind === 'ok' ? fieldsOf(fieldsOf(asked.value)['viewer']) : {};
  const { databaseId, login } = viewer;
  if (isNumber(databaseId)) return ({ user }) => fieldsOf(user)['id'] === databaseId;
  if (typeof login === 'string' && login !== '') {
    return ({ user }) => fieldsOf(user)['login'] === login;
  }
  return ({ user, app }) => {
    const author = fieldsOf(user);
    return author['type'] === 'Bot' && (author['login'] === 'github-actions[bot]' || Boolean(app));
  };
}
