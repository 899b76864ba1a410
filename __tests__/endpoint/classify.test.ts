import { describe, expect, test } from '@jest/globals';
import { classifyStatus, readable } from '../../src/endpoint/classify.js';
import { classifyFailure } from '../../src/endpoint/failure.js';
import { worthRetry } from '../../src/endpoint/retry.js';

describe('classifyStatus', () => {
  test.each<[number, string, string]>([
    [400, 'anything', 'refused'],
    [413, '', 'refused'],
    [422, '{}', 'refused'],
    [401, '{"error":{"message":"Incorrect API key provided"}}', 'unauthorized'],
    [402, '{"error":{"message":"Insufficient credits"}}', 'quota'],
    [403, 'Forbidden', 'forbidden'],
    [403, '{"code":30001,"message":"Sorry, your account balance is insufficient"}', 'quota'],
    [
      404,
      '{"object":"error","message":"The model `kimi` does not exist.","type":"NotFoundError","code":404}',
      'model_not_found',
    ],
    [
      404,
      '{"error":{"message":"No endpoints found for moonshotai/kimi-k9.","code":404}}',
      'model_not_found',
    ],
    [
      404,
      '{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}',
      'model_not_found',
    ],
    [404, '{"error":{"code":"model_not_found"}}', 'model_not_found'],
    [404, '{"detail":"Not Found"}', 'not_found'],
    [404, '404 page not found', 'not_found'],
    [404, '{"error":{"message":"Invalid URL (POST /v1/models/chat/completions)"}}', 'not_found'],
    [404, '<html><body>no model here</body></html>', 'not_found'],
    [429, '{"error":{"message":"Rate limit reached for model x"}}', 'rate_limited'],
    [429, '{"error":{"type":"insufficient_quota","code":"insufficient_quota"}}', 'quota'],
    [
      429,
      '{"error":{"message":"Your account is suspended due to insufficient balance, please recharge","type":"exceeded_current_quota_error"}}',
      'quota',
    ],
    [500, 'Internal Server Error', 'server_error'],
    [
      500,
      '{"error":{"code":500,"message":"Failed to parse tool call arguments as JSON: [json.exception.parse_error.101]"}}',
      'history_rejected',
    ],
    [500, 'TypeError: Can only get item pairs from a mapping.', 'history_rejected'],
    [500, 'TypeError: got an unexpected keyword argument', 'server_error'],
    [503, 'tool call arguments', 'server_error'],
    [524, '<html>timeout</html>', 'server_error'],
    [301, '', 'redirect'],
    [304, '', 'redirect'],
    [405, '', 'http_status'],
    [408, '', 'http_status'],
    [431, '', 'http_status'],
    [101, '', 'http_status'],
    [600, '', 'server_error'],
  ])('%i %s: %s', (status, body, expected) => {
    const finding = classifyStatus(status, body, null);
    expect(finding.kind === 'failed' ? finding.cause : finding.kind).toBe(expected);
  });

  const thinking =
    'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2';
  const prompt = 'My card was declined: insufficient funds. reasoning_content is missing.';
  const quoted = { messages: [{ role: 'user', content: prompt }] };
  const error = (rest: object) => ({ error: rest });

  test.each<[string, number, string | object, string]>([
    [
      'Moonshot',
      400,
      error({ message: thinking, type: 'invalid_request_error' }),
      'reasoning_required',
    ],
    [
      'DeepSeek',
      400,
      error({
        message: 'Missing `reasoning_content` field in the assistant message at message index 3.',
      }),
      'reasoning_required',
    ],
    [
      'DeepSeek, later',
      400,
      error({
        message: 'The `reasoning_content` in the thinking mode must be passed back to the API.',
      }),
      'reasoning_required',
    ],
    [
      'through two gateways',
      400,
      error({
        message: 'Provider error',
        metadata: { raw: JSON.stringify(error({ message: thinking })) },
      }),
      'reasoning_required',
    ],
    [
      'FastAPI',
      422,
      {
        detail: [
          {
            type: 'missing',
            loc: ['body', 'messages', 3, 'reasoning_content'],
            msg: 'Field required',
          },
        ],
      },
      'reasoning_required',
    ],
    ['text alone', 400, thinking, 'reasoning_required'],
    [
      'an unwelcome field',
      400,
      error({ message: 'reasoning_content is not supported' }),
      'refused',
    ],
    ['too large', 413, error({ message: thinking }), 'refused'],
    ['OpenAI, quota', 400, error({ code: 'insufficient_quota', message: 'no' }), 'quota'],
    [
      'OpenAI, hard limit',
      400,
      error({ code: 'billing_hard_limit_reached', message: 'no' }),
      'quota',
    ],
    [
      'Alibaba',
      400,
      error({ code: 'Arrearage', type: 'Arrearage', message: 'Access denied' }),
      'quota',
    ],
    ['Alibaba, its own form', 400, { code: 'Arrearage', message: 'Access denied' }, 'quota'],
    [
      'Anthropic',
      400,
      error({ type: 'x', message: 'Your credit balance is too low to go on.' }),
      'quota',
    ],
    ['words', 400, error({ message: 'You exceeded your current quota' }), 'quota'],
    ['words, 403', 403, error({ message: 'Insufficient account balance' }), 'quota'],
    ['Volcengine', 403, error({ code: 'AccountOverdueError', message: 'no' }), 'quota'],
    ['Zhipu', 429, error({ code: '1113', message: '余额不足或无可用资源包,请充值。' }), 'quota'],
    ['a gateway, 429', 429, error({ message: '{"error":{"type":"insufficient_quota"}}' }), 'quota'],
    ['422 never', 422, error({ code: 'insufficient_quota' }), 'refused'],
    ...[400, 422].flatMap((status): [string, number, object, string][] => [
      [
        'a quoted prompt as input',
        status,
        { detail: [{ loc: ['body'], msg: 'bad', input: quoted }] },
        'refused',
      ],
      [
        'a quoted request',
        status,
        { ...error({ message: 'bad' }), request: quoted, ...quoted },
        'refused',
      ],
      [
        'a generation',
        status,
        error({ code: 'tool_use_failed', failed_generation: prompt }),
        'refused',
      ],
      [
        'a prompt far back in a message',
        status,
        error({
          message: `${'The tool call could not be parsed. '.repeat(10)} ${'Insufficient funds'}`,
        }),
        'refused',
      ],
      [
        'a prompt quoted by pydantic',
        status,
        error({ message: `1 validation error [type=x, input_value=${JSON.stringify(prompt)}]` }),
        'refused',
      ],
    ]),
    [
      '403 with a quoted prompt',
      403,
      { ...error({ message: 'no' }), flagged: prompt },
      'forbidden',
    ],
    [
      '429 with a quoted prompt',
      429,
      { ...error({ message: 'slow down' }), request: quoted },
      'rate_limited',
    ],
  ])('%s (%i): %s', (_, status, body, expected) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const finding = classifyStatus(status, text, null);
    expect(finding.kind === 'failed' ? finding.cause : finding.kind).toBe(expected);
    expect(worthRetry(finding)).toBe(expected === 'rate_limited');
  });

  test('the detail is what the body says, or that it says nothing', () => {
    expect(classifyStatus(503, ' busy \n', null)).toMatchObject({ detail: 'busy' });
    expect(classifyStatus(503, '', null)).toMatchObject({ detail: 'HTTP 503 without a text' });
    expect(classifyStatus(302, 'x', 'https://a/')).toMatchObject({ detail: 'to https://a/' });
  });
});

test('readable takes the words out of a page', () => {
  expect(readable('\n<!DOCTYPE html><title>502</title><script>x<y</script><p>Bad\n  gateway')).toBe(
    '502 Bad gateway',
  );
  expect(readable('  {"a":"<b>"} ')).toBe('{"a":"<b>"}');
  expect(readable('<SCRIPT>a</SCRIPT >b<style>c</script></style>d<script>never closed')).toBe(
    'b d',
  );
});

describe('classifyFailure', () => {
  const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });
  test.each([
    ['a refused connection', withCode('ECONNREFUSED'), 'network', 'ECONNREFUSED: x'],
    [
      'a reset',
      new TypeError('terminated', { cause: withCode('ECONNRESET', 'read ECONNRESET') }),
      'network',
      'read ECONNRESET',
    ],
    [
      'several attempts at connecting',
      new TypeError('fetch failed', {
        cause: new AggregateError([withCode('EHOSTUNREACH', 'connect EHOSTUNREACH ::1')]),
      }),
      'network',
      'connect EHOSTUNREACH ::1',
    ],
    [
      'an expired certificate',
      new TypeError('fetch failed', {
        cause: withCode('CERT_HAS_EXPIRED', 'certificate has expired'),
      }),
      'tls',
      'CERT_HAS_EXPIRED: certificate has expired',
    ],
    [
      'a wrong name',
      withCode('ERR_TLS_CERT_ALTNAME_INVALID'),
      'tls',
      'ERR_TLS_CERT_ALTNAME_INVALID: x',
    ],
    [
      'too many headers',
      withCode('UND_ERR_HEADERS_OVERFLOW'),
      'too_large',
      'UND_ERR_HEADERS_OVERFLOW: x',
    ],
    ['no HTTP', withCode('HPE_INVALID_CONSTANT'), 'malformed', 'HPE_INVALID_CONSTANT: x'],
    ['a broken gzip', withCode('Z_DATA_ERROR'), 'malformed', 'Z_DATA_ERROR: x'],
    ['no error at all', 'odd', 'network', 'odd'],
    ['nothing', undefined, 'network', 'unknown'],
  ])('%s', (_, error, cause, detail) => {
    expect(classifyFailure(error)).toMatchObject({ cause, detail, status: null });
  });
});
