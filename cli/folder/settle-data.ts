import { basename } from 'node:path'
import { failed, interrupted } from '../failure.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { clean } from '../output/text.ts'
import type { Stored } from './compose-files.ts'
import type { FolderFlags } from './flags.ts'
import { type PreparedFolder, prepareFolder } from './prepare.ts'
import { quoted } from './quoted.ts'
import { sendingPatterns, staying, type UnsentData, unsentData } from './unsent-data.ts'

/** A directory to send, and how it was prepared. */
export interface FolderToSettle {
  name: string
  flags: FolderFlags & { host: string | undefined }
  stored?: Stored | undefined
}

/** A directory whose data the user has decided about, as far as there is a terminal to ask on. */
export interface SettledFolder {
  prepared: PreparedFolder
  /** Data that stays in the directory without a decision of the user. */
  unsent: readonly UnsentData[]
}

/**
 * Asks on a terminal what to do about mounted data that would stay in the directory. Returns the
 * directory, prepared again if the data is sent too. Throws a `CliFailure` if the user adopts the
 * project instead. Without a terminal nothing is decided.
 */
export async function settleData(
  prepared: PreparedFolder,
  folder: FolderToSettle,
  { io, print }: { io: Io; print: Printer },
): Promise<SettledFolder> {
  const { name, flags, stored } = folder
  const unsent = flags.emptyData ? [] : unsentData(prepared.found)
  if (unsent.length === 0 || !io.stdin.isTTY) return { prepared, unsent }
  const { root } = prepared.files
  print.note(
    `${staying(unsent, root)}. A stack has its own directory on its host, without this data`,
  )
  const patterns = sendingPatterns(unsent)
  const answer = await ask(unsent, patterns, root, io)
  if (answer === 'adopt')
    throw failed('nothing was sent', { hint: `run: ${adopting(folder, root, io)}` })
  if (answer === 'empty') return { prepared, unsent: [] }
  const include = [...flags.include, ...patterns]
  const wider = { ...folder, flags: { ...flags, include } }
  return settleData(await prepareFolder(name, wider.flags, io, stored), wider, { io, print })
}

/** Returns the command that adopts the project of a directory under this name. */
export function adopting({ name, flags }: FolderToSettle, root: string, { cwd }: Io): string {
  const directory = root === cwd ? '.' : quoted(root)
  const named = basename(root) === name ? '' : ` --name ${quoted(name)}`
  const host = flags.host === undefined ? '' : ` --host ${quoted(flags.host)}`
  return clean(`cli stacks adopt ${directory}${named}${host}`)
}

/** Returns the flags that send what matches. */
export const including = (patterns: readonly string[]) =>
  clean(patterns.map((pattern) => `--include ${quoted(pattern)}`).join(' '))

async function ask(
  unsent: readonly UnsentData[],
  patterns: readonly string[],
  root: string,
  io: Io,
): Promise<'adopt' | 'include' | 'empty'> {
  const { isCancel, select } = await import('@clack/prompts')
  const one = unsent.length === 1
  const answer = await select({
    message: `What happens with ${one ? clean(unsent[0]?.path ?? '') : 'this data'}?`,
    options: [
      {
        value: 'adopt',
        label: `Nothing is sent: adopt the running project, which keeps ${clean(root)}`,
      },
      ...(patterns.length === 0
        ? []
        : [{ value: 'include', label: `Send the data too: ${including(patterns)}` }]),
      { value: 'empty', label: 'Start without it: --empty-data' },
    ],
    input: io.stdin,
    output: io.stderr,
  })
  if (isCancel(answer)) throw interrupted()
  return answer as 'adopt' | 'include' | 'empty'
}
