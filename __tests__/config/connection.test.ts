import { describe, expect, it, test } from '@jest/globals';
import { complaints, parsed } from './specs.js';

const ENDPOINTS: [number, string, string][] = [
  [1, 'https://llm.example.com/v1', 'https://llm.example.com/v1'],
  [2, 'https://llm.example.com/v1/', 'https://llm.example.com/v1'],
  [3, 'https://llm.example.com/v1/chat/completions', 'https://llm.example.com/v1'],
  [4, 'https://llm.example.com/v1/chat/completions/', 'https://llm.example.com/v1'],
  [5, 'https://llm.example.com/v1//chat/completions', 'https://llm.example.com/v1'],
  [6, 'https://llm.example.com', 'https://llm.example.com'],
  [7, 'https://llm.example.com/', 'https://llm.example.com'],
  [8, 'http://127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1'],
  [9, 'http://[::1]:8000/v1', 'http://[::1]:8000/v1'],
  [10, 'HTTPS://LLM.Example.com:443/V1', 'https://llm.example.com/V1'],
  [11, 'https://openrouter.example.com/api/v1', 'https://openrouter.example.com/api/v1'],
  [12, 'https://llm.example.com/my%20models/v1', 'https://llm.example.com/my%20models/v1'],
  [13, ' https://llm.example.com/v1\n', 'https://llm.example.com/v1'],
  [14, 'https://llm.example.com/chat/completions', 'https://llm.example.com'],
  [15, 'https://llm.example.com/a@b/v1', 'https://llm.example.com/a@b/v1'],
];

test.each(ENDPOINTS)('endpoint %d: %j', (_, endpoint, normalised) => {
  expect(parsed({ values: { endpoint } }).config.endpoint).toBe(normalised);
});

const FORM = 'Give the base URL, such as https://llm.example.com/v1.';
const BAD_ENDPOINTS: [number, string, string][] = [
  [1, 'llm.example.com/v1', 'The URL has no scheme. Write https://llm.example.com/v1 instead.'],
  [2, 'localhost:8000/v1', 'The URL has no scheme. Write http://localhost:8000/v1 instead.'],
  [3, '//llm.example.com', 'The URL has no scheme. Write https://llm.example.com instead.'],
  [4, 'https:/llm.example.com', 'The URL has no scheme. Write https://llm.example.com instead.'],
  [5, 'https//llm.example.com', 'The URL has no scheme. Write https://llm.example.com instead.'],
  [6, 'user:hunter2@llm.example.com', `The URL has no scheme. ${FORM}`],
  [7, 'ftp://llm.example.com', `ftp: is not a scheme of an endpoint. ${FORM}`],
  [8, 'file:///etc/passwd', `file: is not a scheme of an endpoint. ${FORM}`],
  [9, 'https:///v1', `It is not a URL. ${FORM}`],
  [10, 'https://', `It is not a URL. ${FORM}`],
  [11, 'https://llm.example.com:99999', `It is not a URL. ${FORM}`],
  [
    12,
    'https://llm.example.com /v1',
    `The URL holds a space, a backslash or a control character. ${FORM}`,
  ],
  [
    13,
    'https:\\\\llm.example.com',
    `The URL holds a space, a backslash or a control character. ${FORM}`,
  ],
  [
    14,
    'https://user:hunter2@llm.example.com/v1',
    'The URL holds a user name or password. Take it out; give the key as api-key, or another scheme of authentication through headers.',
  ],
  [
    15,
    'https://llm.example.com/v1?key=hunter2',
    'The URL has a query or a fragment. Give the base URL alone, /chat/completions is added to it; what a gateway needs beside that goes into headers.',
  ],
  [
    16,
    'https://llm.example.com/v1#hunter2',
    'The URL has a query or a fragment. Give the base URL alone, /chat/completions is added to it; what a gateway needs beside that goes into headers.',
  ],
];

test.each(BAD_ENDPOINTS)('bad endpoint %d: %j', (_, endpoint, message) => {
  const messages = complaints({ values: { endpoint } });
  expect(messages).toEqual([`endpoint: ${message}`]);
  expect(messages.join()).not.toContain('hunter2');
});

describe('api-key', () => {
  it.each([
    ['sk-abc', 'sk-abc'],
    ['EMPTY', null],
    ['', null],
    [' \n', null],
  ])('%j is %j', (key, expected) => {
    expect(parsed({ values: { 'api-key': key } }).config.apiKey).toBe(expected);
  });

  it('says whether the endpoint was declared to have no keys', () => {
    expect(parsed({ values: { 'api-key': 'EMPTY' } }).keyless).toBe(true);
    expect(parsed({ values: { 'api-key': '' } }).keyless).toBe(false);
  });

  it('takes a pasted line break off and says so', () => {
    const { config, notices } = parsed({ values: { 'api-key': 'sk-abc\n' } });
    expect(config.apiKey).toBe('sk-abc');
    expect(notices).toEqual([
      'White space round api-key was taken off; store the secret without a line break at its end.',
    ]);
  });

  it.each([
    ['Bearer sk-secret', 'The key starts with the word Bearer. Give the key alone.'],
    ['"sk-secret"', 'The key stands in quotes. Give the key without them.'],
    [
      'sk-secret\nsk-other',
      'The key holds a space or a line break. Store the secret again, as one line; often two values were pasted into one secret.',
    ],
    [
      'sk\u2011secret',
      'The key holds a character that no HTTP header can carry. Store the secret again; copied from a document, it may hold look-alike or invisible characters.',
    ],
  ])('refuses %j without repeating it', (key, message) => {
    for (const surface of ['action', 'terminal'] as const) {
      const messages = complaints({ values: { 'api-key': key }, surface });
      expect(messages).toEqual([`api-key: ${message}`]);
      expect(messages.join()).not.toContain('secret"');
      expect(messages.join()).not.toContain('sk-');
    }
  });

  it.each([
    ['http://llm.internal/v1', 1],
    ['http://localhost:8000/v1', 0],
    ['http://127.0.0.1/v1', 0],
    ['https://llm.example.com/v1', 0],
  ])('a key over %s gives %d notices', (endpoint, count) => {
    const { notices } = parsed({ values: { endpoint, 'api-key': 'sk-abc' } });
    expect(notices).toHaveLength(count);
    if (count > 0) {
      expect(notices[0]).toBe(
        'The endpoint is plain http: the key and all prompts travel unencrypted.',
      );
    }
  });
});

describe('headers', () => {
  it.each([
    ['{"X-Team": "search", "x-org": " a b "}', { 'X-Team': 'search', 'x-org': 'a b' }],
    ['X-Team: search\nX-Quoted: "007"', { 'X-Team': 'search', 'X-Quoted': '007' }],
    ['{"Authorization": "Basic dTpw"}', { Authorization: 'Basic dTpw' }],
    ['{"X-Empty": ""}', { 'X-Empty': '' }],
    ['{}', {}],
  ])('%j', (headers, expected) => {
    expect(parsed({ values: { headers } }).config.headers).toEqual(expected);
  });

  const MAPPING = 'Give a JSON or YAML mapping of names to values, such as {"X-Team": "search"}.';
  it.each([
    ['Authorization Bearer s3cret', `headers: It is not a mapping. ${MAPPING}`],
    ['["s3cret"]', `headers: It is not a mapping. ${MAPPING}`],
    ['{"X-A": "s3cret', `headers: It is not valid YAML in line 1. ${MAPPING}`],
    ['X-A: @s3cret', `headers: It is not valid YAML in line 1. ${MAPPING}`],
    ['X-A: s3cret\nX-A: s3cret', `headers: It is not valid YAML in line 2. ${MAPPING}`],
    [
      '{"X-A": "s3cret", "x-a": "b"}',
      'headers.x-a: The header is given twice. Names of headers know no case; keep one.',
    ],
    ['{"X-A": 7}', 'headers.X-A: The value is not text to YAML. Put it in quotes.'],
    ['{"X-A": true}', 'headers.X-A: The value is not text to YAML. Put it in quotes.'],
    ['{"X-A": null}', 'headers.X-A: The value is empty. Give text, or remove the header.'],
    ['{"X-A": ["s3cret"]}', 'headers.X-A: The value is not text. Give text, or remove the header.'],
    [
      '{"X-A": "s3cret\\r\\nX-B: 1"}',
      'headers.X-A: The value holds a line break or a character that no HTTP header can carry. Give one line of Latin-1 text.',
    ],
    [
      '{"X-A": "s3cret\u4e2d"}',
      'headers.X-A: The value holds a line break or a character that no HTTP header can carry. Give one line of Latin-1 text.',
    ],
    [
      '{"X A": "s3cret"}',
      'headers.(a name): This is not the name of a header. Use letters, digits and hyphens.',
    ],
    [
      '{"s3cret s3cret": ""}',
      'headers.(a name): This is not the name of a header. Use letters, digits and hyphens.',
    ],
    [
      '{"Content-Length": "1"}',
      'headers.Content-Length: This header is set by the request itself. Remove it.',
    ],
    ['{"host": "a"}', 'headers.host: This header is set by the request itself. Remove it.'],
  ])('refuses %j without repeating a value', (headers, message) => {
    const messages = complaints({ values: { headers } });
    expect(messages).toEqual([message]);
    expect(messages.join()).not.toContain('s3cret');
  });

  it('refuses an Authorization header beside a key', () => {
    const values = { 'api-key': 'sk-abc', headers: '{"authorization": "Basic s3cret"}' };
    expect(complaints({ values })).toEqual([
      'headers.authorization: The header and api-key both say who is asking. Give one of the two: api-key for a bearer token, the header for anything else.',
    ]);
  });
});
