import type { Commands } from './command.ts'

/** Returns the first words that need a second word. */
export const groupsOf = (commands: Commands): ReadonlySet<string> =>
  new Set(
    Object.keys(commands).flatMap((words) =>
      words.includes(' ') ? [words.split(' ')[0] ?? ''] : [],
    ),
  )

/** Returns the commands of three words, such as `stacks deployments watch`. */
export const longerOf = (commands: Commands): ReadonlySet<string> =>
  new Set(Object.keys(commands).filter((words) => words.split(' ').length === 3))
