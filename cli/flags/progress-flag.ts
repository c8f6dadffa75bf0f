import type { ProgressMode } from '../output/progress.ts'
import { choiceOf } from './choice.ts'

export const progressKinds = ['auto', 'tty', 'plain', 'json', 'quiet'] as const

/** Returns how `--progress` says to show progress; undefined to decide by the terminal. */
export function progressOf(text: string): ProgressMode | undefined {
  const chosen = choiceOf('--progress', text, progressKinds)
  return chosen === 'auto' ? undefined : chosen
}
