import { nearest } from '../../functions/compose/nearest.ts'
import { wrongUsage } from '../failure.ts'

/** Words that other programs use for ours. */
const otherWords: Readonly<Record<string, string>> = {
  add: 'create',
  new: 'create',
  edit: 'update',
  set: 'update',
  cat: 'get',
  attach: 'exec',
  destroy: 'delete',
}

/**
 * Returns wrong usage for a command that does not exist, with the one that was probably meant.
 *
 * @param words the words in their canonical form, such as `stacks deply`
 * @param line those words, and the next one if the first is unknown
 */
export function unknownCommand(
  words: readonly string[],
  line: readonly string[],
  known: readonly string[],
) {
  const message = `unknown command ${JSON.stringify(words.join(' '))}`
  const meant = meantBy(line, known)
  if (meant) return wrongUsage(message, `did you mean \`cli ${meant}\`?`)
  return wrongUsage(message, hintAt(words[0], known))
}

/** More commands are not suggested: the help has them all. */
const shownMax = 3

function hintAt(group: string | undefined, known: readonly string[]): string {
  const near = known.filter((one) => one.split(' ')[0] === group)
  if (near.length > shownMax) return `run: cli ${group} --help`
  return near.length > 0 ? `its commands: ${near.join(', ')}` : 'run: cli --help'
}

function meantBy([first = '', ...rest]: readonly string[], known: readonly string[]) {
  const group = nearest(first, new Set(known.map((one) => one.split(' ')[0] ?? '')))
  const groups = new Set(known.map((one) => one.split(' ')[0]))
  const named = groups.has(first) ? first : group
  const [second] = rest
  if (second !== undefined && named !== undefined) {
    const inGroup = known.flatMap((one) =>
      one.startsWith(`${named} `) ? one.slice(named.length + 1) : [],
    )
    const word = [second, wordFor(second)].find((one) => inGroup.includes(one))
    const found = word ?? nearest(second, inGroup)
    if (found !== undefined) return `${named} ${found}`
    if (groups.has(first)) return undefined
  }
  if (group !== undefined) return group
  // The word of a stack's command alone, such as `deploy`.
  return known.find((one) => one === `stacks ${wordFor(first)}`)
}

const wordFor = (word: string): string =>
  (Object.hasOwn(otherWords, word) ? otherWords[word] : undefined) ?? word
