import { fileURLToPath } from 'node:url';

/**
 * The project's own browser tasks, with the script they share. The bundler copies each file because of these very
 * expressions, so both arguments of `URL` must stay as they are; in the bundle they become the copies' paths, strings.
 */
const PLACES: readonly (URL | string)[] = [
  new URL('../../datasets/miniwob-pages/page.js', import.meta.url),
  new URL('../../datasets/miniwob-pages/own-click-button.html', import.meta.url),
  new URL('../../datasets/miniwob-pages/own-covered-button.html', import.meta.url),
  new URL('../../datasets/miniwob-pages/own-drag-shape.html', import.meta.url),
  new URL('../../datasets/miniwob-pages/own-fill-form.html', import.meta.url),
  new URL('../../datasets/miniwob-pages/own-hash-link.html', import.meta.url),
  new URL('../../datasets/miniwob-pages/own-late-start.html', import.meta.url),
  new URL('../../datasets/miniwob-pages/own-partial-credit.html', import.meta.url),
  new URL('../../datasets/miniwob-pages/own-shadow-frame.html', import.meta.url),
];

/** Paths of the script and the pages, the pages in alphabetical order. */
export function builtinPagePaths(): readonly string[] {
  return PLACES.map((place) => (typeof place === 'string' ? place : fileURLToPath(place)));
}
