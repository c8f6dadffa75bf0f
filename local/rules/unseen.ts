import { codeOf, spokenIn } from './program-text.ts'
import type { Source } from './source.ts'

/** Files of journeys that may act without a look, and why. */
export const mayActUnseen: Record<string, string> = {
  'local/journeys/harness/seen-click.ts': 'looks first',
  'local/journeys/harness/seen-click.engine.test.ts': 'its page clicks',
  'local/journeys/harness/journey.ts': 'follows a link that it adds to a page',
  'local/journeys/firefox.engine.test.ts': 'uses another library, for what Chromium shows too',
}

/** Methods of Playwright that use the mouse or a field. An array can be filled, too. */
const actions =
  /(?<!\bArray\([^()]*\))\.(click|dblclick|tap|check|uncheck|setChecked|fill|selectOption|setInputFiles|hover|dragTo)\(/g

/**
 * Returns where journeys act on what people may not be able to see: by a method of Playwright
 * instead of `seenClick` and its like, or by a script that clicks.
 */
export function unseenActions(sources: readonly Source[], allowed = mayActUnseen): string[] {
  const found = sources
    .filter(({ path }) => path.startsWith('local/journeys/'))
    .flatMap(({ path, text }) => unseenIn(text).map((action) => ({ path, action })))
  const unneeded = Object.keys(allowed).filter((path) => found.every((one) => one.path !== path))
  return [
    ...found
      .filter(({ path }) => !Object.hasOwn(allowed, path))
      .map(({ path, action }) => `${path}: ${action} without a look, use harness/seen-click.ts`),
    ...unneeded.map((path) => `${path}: needs no exception`),
  ]
}

/** Returns the actions in a file, also those of scripts for the page. */
function unseenIn(text: string): string[] {
  const scripts = spokenIn(text).filter(({ kind }) => kind === 'string')
  return [
    ...[...codeOf(text).matchAll(actions)].map(([, action]) => String(action)),
    ...scripts.filter((script) => /\.click\(\)/.test(script.text)).map(() => 'click'),
  ]
}
