import { expect, it } from '@jest/globals';
import { browserEnvironment } from '../../../../src/benchmarks/miniwob/browser/browser-environment.js';

it('keeps what a browser needs and no secret', () => {
  const env = {
    PATH: '/usr/bin',
    HOME: '/home/me',
    TZ: 'Asia/Tokyo',
    LANG: 'de_DE.UTF-8',
    SystemRoot: 'C:\\Windows',
    OPENAI_API_KEY: 'sk-1',
    INPUT_API_KEY: 'sk-2',
    GITHUB_TOKEN: 'ghs',
    HTTPS_PROXY: 'http://user:password@proxy',
    DISPLAY: ':0',
  };
  const kept = browserEnvironment(env, '/scratch');
  expect(kept).toEqual({
    PATH: '/usr/bin',
    SystemRoot: 'C:\\Windows',
    HOME: '/scratch',
    USERPROFILE: '/scratch',
    APPDATA: '/scratch',
    LOCALAPPDATA: '/scratch',
    TMPDIR: '/scratch',
    TEMP: '/scratch',
    TMP: '/scratch',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  });
});
