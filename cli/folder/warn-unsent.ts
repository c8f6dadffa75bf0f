import type { Stack } from '../api/types.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { clean } from '../output/text.ts'
import { adopting, type FolderToSettle, including } from './settle-data.ts'
import { sendingPatterns, staying, type UnsentData } from './unsent-data.ts'

/** A stack that was saved without data of its directory. */
export interface SavedWithout {
  stack: Pick<Stack, 'name' | 'directory'>
  /** The name of its host. */
  host: string
  unsent: readonly UnsentData[]
  folder: FolderToSettle
  root: string
}

/** Warns that a stack starts without data that stays in the directory, and says what to do. */
export function warnUnsent(
  { stack, host, unsent, folder, root }: SavedWithout,
  { io, print }: { io: Io; print: Printer },
): void {
  if (unsent.length === 0) return
  const place = clean(stack.directory)
  const name = clean(stack.name)
  print.note(
    `warning: ${staying(unsent, root)}, and the stack starts without it in ${place} on host ${clean(host)}`,
  )
  const patterns = sendingPatterns(unsent)
  const adopt = `cli stacks delete ${name} && ${adopting(folder, root, io)}`
  print.note('  to keep it, before the first deploy:')
  print.note(`    ${adopt}    if the project runs: the stack keeps this directory`)
  if (patterns.length > 0)
    print.note(`    cli stacks update ${name} ${including(patterns)}    sends it with the files`)
  print.note(`    or copy it to ${place} on the host`)
  print.note('  --empty-data says that the stack may start without it')
}
