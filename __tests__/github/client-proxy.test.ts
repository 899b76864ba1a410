import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from '@jest/globals';
import { startFakeGitHub } from '../support/fake-github.js';
import { stoppedClock } from './stopped-clock.js';

// A file of its own: @actions/github reads proxy and API address from the environment when it is first imported.
it('goes through the proxy of the environment', async () => {
  const fake = await startFakeGitHub({ pulls: [{ number: 2, sha: 'c'.repeat(40) }] });
  const asked: string[] = [];
  const proxy = createServer().on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const upstream = connect(Number(new URL(fake.url).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket);
      socket.pipe(upstream);
    });
    for (const end of [socket, upstream]) end.on('error', () => end.destroy());
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  process.env['GITHUB_API_URL'] = 'http://github.test/api/v3';
  process.env['http_proxy'] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  delete process.env['no_proxy'];
  delete process.env['NO_PROXY'];

  const { openGitHub } = await import('../../src/github/client.js');
  const opened = await openGitHub({
    token: 'ghs_write',
    apiUrl: 'http://github.test',
    userAgent: 'vendor-gate/test',
    clock: stoppedClock(),
    restricted: null,
  });
  if (opened.kind === 'failed') throw new Error(opened.message);
  const pull = await opened.value.ask('read', (octokit) =>
    octokit.rest.pulls.get({ owner: 'octo', repo: 'hello', pull_number: 2 }),
  );

  expect(pull).toMatchObject({ kind: 'ok', value: { status: 200 } });
  expect(asked).toEqual(['github.test:80']);
  proxy.closeAllConnections();
  proxy.close();
  await fake.close();
});
