import { present } from '../../adapters/testing/present.ts'
import { findWords, globalFlags, ownFlagsOf } from '../../cli/command-words.ts'
import { commands, groups, longer } from '../../cli/commands.ts'
import type { Page } from './pages.ts'

/** Returns the `cli` commands in shell code blocks that use an unknown command or flag. */
export async function unknownCommands(pages: readonly Page[]): Promise<string[]> {
  const offences = pages.flatMap(({ path, text }) =>
    quotedIn(text).map(async (quoted) => (await problemOf(quoted)).map((one) => `${path}: ${one}`)),
  )
  return (await Promise.all(offences)).flat()
}

/** Returns the `cli` commands of a page, each split into words, without comments and pipes. */
function quotedIn(text: string): string[][] {
  const blocks = [...text.matchAll(/```(?:sh|console)\n(.*?)```/gs)].map(([, block]) =>
    present(block),
  )
  return blocks
    .flatMap((block) => block.replace(/\\\n\s*/g, '').split('\n'))
    .flatMap((line) => line.split(/\s+#\s|&&|[|;]/))
    .map((part) => part.trim().match(/"[^"]*"|'[^']*'|<[^>]*>|\S+/g) ?? [])
    .map((words) => (words[0] === '$' ? words.slice(1) : words))
    .flatMap((words) => (words[0] === 'cli' ? [words.slice(1)] : []))
}

async function problemOf(quoted: readonly string[]): Promise<string[]> {
  const { words, rest } = findWords(quoted, groups, longer)
  const name = words.join(' ')
  const entry = commands[name]
  if (!entry) return [`cli ${name}: no such command`]
  const command = (await entry.load()).default
  const known = Object.keys({ ...globalFlags, ...ownFlagsOf(command) })
    .flatMap((flag) => flag.replace(/ <.*/, '').split(', '))
    .concat('--version')
  return rest
    .filter((word) => /^--?[a-z]/i.test(word) && !known.includes(word.replace(/=.*/, '')))
    .map((flag) => `cli ${name}: no flag ${flag}`)
}
