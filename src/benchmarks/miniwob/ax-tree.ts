/** A value of the accessibility tree as the Chrome DevTools Protocol gives it; an absent `value` is not a null. */
export interface AxValue {
  readonly value?: unknown;
}

export interface AxProperty {
  readonly name: string;
  readonly value: AxValue;
}

/** A node as `Accessibility.getFullAXTree` gives it; only what is read here. */
export interface AxNode {
  readonly nodeId: string;
  readonly ignored?: boolean;
  readonly role?: AxValue;
  /** Absent on ignored nodes and on some internal ones; such a node is never printed. */
  readonly name?: AxValue;
  readonly description?: AxValue;
  readonly value?: AxValue;
  readonly properties?: readonly AxProperty[];
  readonly childIds?: readonly string[];
  readonly backendDOMNodeId?: number;
}

/** The role's name; empty when the node has none. */
export function roleOf(node: AxNode): string {
  const role = node.role?.value;
  return typeof role === 'string' ? role : '';
}

/** The name's text, '' for a name without a value; null when the node has no name at all. */
export function nameOf(node: AxNode): string | null {
  if (node.name === undefined) return null;
  const name = node.name.value;
  return typeof name === 'string' ? name : '';
}

/** The accessibility tree of one frame. */
export interface FrameTree {
  readonly frameId: string;
  readonly nodes: readonly AxNode[];
}

/** The elements whose content frame `mergeFrames` wants to know, by backendDOMNodeId (`DOM.describeNode`). */
export function iframeElements(trees: readonly FrameTree[]): number[] {
  return trees.flatMap(({ nodes }) =>
    nodes.flatMap((node) =>
      roleOf(node) === 'Iframe' && node.backendDOMNodeId !== undefined
        ? [node.backendDOMNodeId]
        : [],
    ),
  );
}

/**
 * Puts the trees of a page's frames into one: the root of each frame becomes the last child of its iframe.
 * @param trees the main frame's first
 * @param contentFrames frame id by the iframe's backendDOMNodeId; an iframe that is missing stays without content
 */
export function mergeFrames(
  trees: readonly FrameTree[],
  contentFrames: ReadonlyMap<number, string>,
): AxNode[] {
  const roots = new Map(trees.map(({ frameId, nodes }) => [frameId, nodes[0]?.nodeId]));
  const withContent = (node: AxNode): AxNode => {
    if (roleOf(node) !== 'Iframe' || node.backendDOMNodeId === undefined) return node;
    const root = roots.get(contentFrames.get(node.backendDOMNodeId) ?? '');
    return root === undefined ? node : { ...node, childIds: [...(node.childIds ?? []), root] };
  };
  return trees.flatMap(({ nodes }) => nodes.map(withContent));
}
