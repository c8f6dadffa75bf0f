import type { Client } from '../api/client.ts'
import type { StackDetails, StackFile } from '../api/types.ts'
import { failed } from '../failure.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { clean } from '../output/text.ts'
import { answersYes } from '../prompt.ts'
import type { StackDifference } from './find-change.ts'
import { filesOfRevision } from './known-revision.ts'
import { shortList } from './short-list.ts'

/** An update of a stack, and the revision that the directory had last, if that is known. */
export interface GuardedUpdate {
  stack: StackDetails
  known: number | undefined
  difference: StackDifference
  flags: { force: boolean; yes: boolean; dryRun: boolean }
}

/**
 * Names the files that an update would replace or delete although the stack got them after the
 * revision that the directory had last: an import of changes on the host, a rollback, or an update
 * from elsewhere. Asks on a terminal, and throws a `CliFailure` without one, unless `--force` is
 * given.
 */
export async function guardNewer(
  { stack, known, difference, flags }: GuardedUpdate,
  { client, io, print }: { client: Client; io: Io; print: Printer },
): Promise<void> {
  if (known === undefined || known === stack.revision) return
  const { texts, entries, oldOverlays, gone } = difference
  const changing = new Set([...Object.keys(texts), ...entries.map(({ path }) => path)])
  for (const path of [...oldOverlays, ...(flags.yes ? gone : [])]) changing.add(path)
  const newer = await changedSince(client, stack, known)
  const lost = newer.filter((path) => changing.has(path))
  if (lost.length === 0) return
  const name = clean(stack.name)
  const since = `changed in the stack after revision ${known}, which this directory has`
  const hint = `\`cli stacks download ${name} .\` brings them, \`cli stacks diff ${name} --from ${known}\` shows them, --force replaces them`
  print.note(`${since}: ${shortList(lost)}`)
  if (flags.force || flags.dryRun) return
  if (!io.stdin.isTTY) throw failed(`nothing was sent: the stack has newer files`, { hint })
  print.note(`  ${hint}`)
  if (!(await answersYes(io, 'Replace them?'))) throw failed('cancelled: nothing was sent')
}

/** Returns the paths that differ from an earlier revision; all if that is no longer stored. */
async function changedSince(
  client: Client,
  { name, files }: StackDetails,
  revision: number,
): Promise<string[]> {
  const earlier = await filesOfRevision(client, name, revision)
  const before = new Map(earlier?.map((file) => [file.path, signOf(file)]))
  const now = new Map(files.map((file) => [file.path, signOf(file)]))
  const paths = [...new Set([...before.keys(), ...now.keys()])].sort()
  return paths.filter((path) => before.get(path) !== now.get(path))
}

const signOf = ({ digest, mode, link }: StackFile) => JSON.stringify([digest, mode, link])
