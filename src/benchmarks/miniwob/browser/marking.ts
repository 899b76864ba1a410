import type { CDPSession } from 'playwright-core';
import type { ElementFacts } from '../normalise-ax-tree.js';
import { frameElementFacts, type MarkedFrame, markFrame, unmarkFrame } from './marking-scripts.js';

/** The elements that BrowserGym marks (the list of w3schools), in the order of the alphabet. */
const HTML_TAGS =
  'a abbr acronym address applet area article aside audio b base basefont bdi bdo big blockquote body br button ' +
  'canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed ' +
  'fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe ' +
  'img input ins kbd label legend li link main map mark menu meta meter nav noframes noscript object ol optgroup ' +
  'option output p param picture pre progress q rp rt ruby s samp script search section select small source span ' +
  'strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ' +
  'ul var video wbr';

/** The same name gives the same world until the frame goes to another document, and with it our counters. */
const WORLD = 'vendor-gate';

/** A frame's bid: one letter and capitals for every frame on the way. */
const PREFIX = /^[a-z][a-zA-Z]*$/;

/** What went wrong while marking; some of it is worth another try. */
class MarkingError extends Error {
  override readonly name = 'MarkingError';
}

/** A marked page; every mark must be taken off again. */
export interface Marks {
  /** Ids of all frames, the main frame first, whether marked or not. */
  readonly frames: readonly string[];
  /** By bid. */
  readonly elements: ReadonlyMap<string, ElementFacts>;
  /** Takes the marks off. Does not mind frames that are gone. */
  remove(): Promise<void>;
}

interface FrameNode {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameNode[];
}

/**
 * Marks every frame of a page.
 * @param lenient leave out a frame whose element has no bid, instead of failing
 * @throws MarkingError, or what the browser says
 */
export async function mark(session: CDPSession, lenient: boolean): Promise<Marks> {
  const worlds: number[] = [];
  const elements = new Map<string, ElementFacts>();
  const remove = async (): Promise<void> => {
    await Promise.all(worlds.map((world) => call(session, world, unmarkFrame).catch(() => {})));
  };
  const markAll = async (node: FrameNode, prefix: string): Promise<void> => {
    const world = await worldOf(session, node);
    worlds.push(world);
    const { facts } = await call<MarkedFrame>(session, world, markFrame, prefix, HTML_TAGS);
    for (const [bid, known] of facts) elements.set(bid, known);
    for (const child of node.childFrames ?? []) {
      const owner = await ownerOf(session, world, child);
      if (!owner.scripts) continue;
      if (owner.bid === null || !PREFIX.test(owner.bid)) {
        if (lenient) continue;
        throw new MarkingError('Cannot mark a child frame without a bid.');
      }
      await markAll(child, owner.bid);
    }
  };
  const { frameTree } = await session.send('Page.getFrameTree');
  try {
    await markAll(frameTree, '');
  } catch (error) {
    await remove();
    throw error;
  }
  return { frames: idsOf(frameTree), elements, remove };
}

/** The main frame first, and the last of several children before its sisters, which is BrowserGym's order. */
function idsOf(root: FrameNode): string[] {
  const ids: string[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    ids.push(node.frame.id);
    open.push(...(node.childFrames ?? []));
  }
  return ids;
}

async function worldOf(session: CDPSession, { frame }: FrameNode): Promise<number> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frame.id,
    worldName: WORLD,
  });
  return executionContextId;
}

async function ownerOf(
  session: CDPSession,
  world: number,
  { frame }: FrameNode,
): Promise<ReturnType<typeof frameElementFacts>> {
  const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId: frame.id });
  const { object } = await session.send('DOM.resolveNode', {
    backendNodeId,
    executionContextId: world,
  });
  const { result } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: String(frameElementFacts),
    objectId: object.objectId ?? '',
    returnByValue: true,
  });
  return result.value as ReturnType<typeof frameElementFacts>;
}

/** Calls one of the marking scripts in a world of a frame. */
async function call<T>(
  session: CDPSession,
  world: number,
  script: (...args: string[]) => T,
  ...args: string[]
): Promise<T> {
  const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: String(script),
    executionContextId: world,
    arguments: args.map((value) => ({ value })),
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) {
    const [line] = (exceptionDetails.exception?.description ?? exceptionDetails.text).split('\n');
    throw new MarkingError(line);
  }
  return result.value as T;
}
