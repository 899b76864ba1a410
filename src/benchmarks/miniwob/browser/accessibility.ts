import type { CDPSession } from 'playwright-core';
import { type FrameTree, iframeElements, mergeFrames } from '../ax-tree.js';
import { normaliseAxTree } from '../normalise-ax-tree.js';
import { flattenAxTree } from '../observation.js';
import type { Marks } from './marking.js';

/** The text of a marked page's accessibility tree, all frames in one. */
export async function accessibilityText(session: CDPSession, marks: Marks): Promise<string> {
  const trees: FrameTree[] = [];
  for (const frameId of marks.frames) {
    const { nodes } = await session.send('Accessibility.getFullAXTree', { frameId });
    trees.push({ frameId, nodes });
  }
  const contentFrames = new Map<number, string>();
  for (const backendNodeId of iframeElements(trees)) {
    const { node } = await session.send('DOM.describeNode', { backendNodeId });
    if (node.frameId !== undefined) contentFrames.set(backendNodeId, node.frameId);
  }
  return flattenAxTree(normaliseAxTree(mergeFrames(trees, contentFrames), marks.elements));
}
