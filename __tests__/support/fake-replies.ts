import type { ServerResponse } from 'node:http';

/** What a request gets instead of its usual answer. */
export type Step =
  /** An error, as GitHub words it. */
  | { readonly status: number; readonly message: string; readonly headers?: Record<string, string> }
  /** The request is carried out, then its answer is lost behind this error. */
  | { readonly doneThen: number }
  /** Status 200 with JSON that GitHub does not describe. */
  | { readonly json: unknown }
  /** A page of a proxy in between, with status 200. */
  | { readonly html: string }
  /** The connection is cut: before the answer, or in the middle of its body. */
  | { readonly cut: 'before' | 'within' }
  /** No answer at all. */
  | { readonly hang: true };

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** An error in GitHub's form. */
export function refusal(status: number, message: string): Reply {
  if (status === 503) return { status, body: { code: 'unavailable', message } };
  const documentation_url = 'https://docs.github.com/rest';
  return { status, body: { message, documentation_url, status: String(status) } };
}

export const TOO_LONG: Reply = {
  status: 422,
  body: {
    message: 'Validation Failed',
    documentation_url: 'https://docs.github.com/rest',
    errors: [
      {
        resource: 'IssueComment',
        code: 'unprocessable',
        field: 'data',
        message: 'Body is too long (maximum is 65536 characters)',
      },
    ],
  },
};

/** Answers with a step instead; `usual` carries the request out. */
export function play(response: ServerResponse, step: Step, usual: () => Reply): void {
  if ('hang' in step) return;
  if ('json' in step) {
    send(response, { status: 200, body: step.json });
  } else if ('html' in step) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(step.html);
  } else if ('cut' in step) {
    if (step.cut === 'before') return void response.destroy();
    const body = JSON.stringify(usual().body);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': body.length + 10,
    });
    response.write(body.slice(0, 10), () => response.destroy());
  } else if ('doneThen' in step) {
    usual();
    send(response, refusal(step.doneThen, 'Server Error'));
  } else {
    const { status, message, headers } = step;
    send(response, { ...refusal(status, message), ...(headers ? { headers } : {}) });
  }
}

export function send(response: ServerResponse, { status, body, headers }: Reply): void {
  const type = body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' };
  response.writeHead(status, { ...type, ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
