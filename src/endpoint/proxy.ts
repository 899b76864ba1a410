import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool, type ProxyAgent } from 'undici';
import { ConfigError } from '../model/errors.js';

/** Time for a proxy to open a tunnel. */
const TUNNEL_MS = 30_000;

/**
 * The connections of this process to the outside, by way of the proxy that the environment names (`https_proxy`,
 * `http_proxy`, `no_proxy`, lower case first, as curl has it). undici's own limits of 300 s for headers and between
 * two pieces of the body are off, since an answer that is not streamed may take longer; whoever sends keeps a timer.
 *
 * Throws ConfigError when the environment names a proxy that is not an http or https URL.
 */
export function dispatcherFor(env: Readonly<Record<string, string | undefined>>): Dispatcher {
  const limits = { headersTimeout: 0, bodyTimeout: 0 };
  const httpProxy = proxyIn(env, 'http_proxy');
  const httpsProxy = proxyIn(env, 'https_proxy');
  if (httpProxy === '' && httpsProxy === '') return new Agent(limits);
  // Empty strings rather than undefined: undici would look into the real environment.
  const noProxy = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  const options: EnvHttpProxyAgent.Options & Pick<ProxyAgent.Options, 'clientFactory'> = {
    ...limits,
    httpProxy,
    httpsProxy,
    noProxy,
    clientFactory: (origin, rest) => new WayToProxy(origin, { ...rest, headersTimeout: TUNNEL_MS }),
  };
  return new EnvHttpProxyAgent(options);
}

/**
 * undici 6 takes a proxy that closes the connection without a word for a passing fault, and asks for the tunnel again at
 * once and for ever. As another error it ends the request.
 */
class WayToProxy extends Pool {
  override connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>;
  override connect(): never;
  override async connect(options?: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    try {
      return await super.connect(options as Dispatcher.ConnectOptions);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'UND_ERR_SOCKET') throw error;
      throw new Error('the proxy closed the connection');
    }
  }
}

function proxyIn(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = (env[name] || env[name.toUpperCase()] || '').trim();
  if (value === '') return '';
  const url = value.includes('://') ? value : `http://${value}`;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new ConfigError([
    {
      where: name,
      what: `The environment variable ${name} does not hold the URL of an http or https proxy.`,
      fix: `Set ${name} to something like http://proxy.example:3128, or unset it.`,
    },
  ]);
}
