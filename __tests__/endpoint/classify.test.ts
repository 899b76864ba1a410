import { describe, expect, test } from '@jest/globals';
import { classifyStatus, readable } from '../../src/endpoint/classify.js';
import { classifyFailure } from '../../src/endpoint/failure.js';

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
  const hostile = '<script'.repeat(50_000);
  const started = performance.now();
  expect(readable(hostile).length).toBeLessThanOrEqual(16_384);
  expect(performance.now() - started).toBeLessThan(1000);
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
