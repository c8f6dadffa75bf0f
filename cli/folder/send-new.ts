import type { Client, Reply } from '../api/client.ts'
import type { Stack } from '../api/types.ts'
import { CliFailure } from '../failure.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { clean } from '../output/text.ts'
import { findDifference, storedFiles } from './find-change.ts'
import { withLimitHint } from './limit-hint.ts'
import type { PreparedFolder } from './prepare.ts'
import { fitsRequest, requestFiles, textsOf } from './request-files.ts'
import { sendChange } from './send-change.ts'
import type { UnsentData } from './unsent-data.ts'

interface Output {
  client: Client
  io: Io
  print: Printer
}

/** A stack to create. */
export interface NewFolder {
  name: string
  host: string | undefined
  prepared: PreparedFolder
  unsent: readonly UnsentData[]
  /** The sets of shared variables that it takes; undefined for none. */
  shared?: readonly string[] | undefined
}

/**
 * Creates a stack with its files. If they do not fit into one request, the stack is created with
 * those that compose files read, and the others are uploaded.
 */
export async function sendNew(
  { name, host, prepared, unsent, shared }: NewFolder,
  output: Output,
): Promise<Reply<Stack>> {
  const { found, files, read } = prepared
  const entries = [...found.entries.values()]
  const texts = textsOf(files)
  const isSmall = fitsRequest(entries, texts)
  const first = isSmall
    ? entries
    : entries.filter((entry) => 'link' in entry || read.has(entry.path))
  const sent = await requestFiles(first, found)
  const unsent_data = unsent.length > 0 ? unsent.map(({ path }) => path) : undefined
  const filled = first.length > 0 ? { files: sent } : {}
  const taken = shared && { shared_variables: [...shared] }
  const body = { name, host, ...texts, ...filled, unsent_data, ...taken }
  const created = await withLimitHint(found, () => output.client.post('/stacks', { body }))
  if (isSmall) return created
  return sendRest(created.value, prepared, output)
}

async function sendRest(
  { name, revision }: Stack,
  prepared: PreparedFolder,
  output: Output,
): Promise<Reply<Stack>> {
  try {
    const difference = await findDifference(prepared, await storedFiles(output.client, name))
    return await sendChange({ name, revision, difference, remove: [] }, prepared.found, output)
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    const then = `${clean(name)} is created without most of its files: cli stacks update ${clean(name)} sends them`
    const hint = [error.hint, then].filter(Boolean).join('\n  ')
    throw error.reworded({ hint })
  }
}
