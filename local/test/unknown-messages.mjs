import { readFileSync } from 'node:fs'

/** The longest message that is printed. Characters. */
const charactersMax = 300

/**
 * Returns what to print of the messages of Engines that tests provoked and for which the service
 * has no words of its own: each once, the most frequent first. Names and numbers of a run are `…`.
 *
 * @param {string} file as `recordUnknown` writes it; missing if there were none
 */
export function unknownMessages(file) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const line of linesOf(file)) {
    const text = JSON.parse(line)
      .replaceAll(/\b(?=[\w-]*\d)[\w-]{6,}\b/g, '…')
      .slice(0, charactersMax)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([text, count]) => `${count} × ${text}`)
}

/** @type {(file: string) => string[]} */
function linesOf(file) {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean)
  } catch {
    return []
  }
}
