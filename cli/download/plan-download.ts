import type { StackFile } from '../api/types.ts'
import { failed } from '../failure.ts'
import { mainFileOf } from '../folder/main-file.ts'
import { shortList } from '../folder/short-list.ts'
import { LocalFolder } from './compare-local.ts'
import { checkedEntries, isOfGit, type StoredEntry } from './stored-entry.ts'

/** What a download changes in a directory. */
export interface DownloadPlan {
  /** Files and links that the directory does not have, or has as an earlier revision had them. */
  write: StoredEntry[]
  /** Those that differ from any revision that the directory is known to have had. */
  replace: StoredEntry[]
  /** Paths that the stack no longer has, and the directory has as an earlier revision had them. */
  remove: string[]
  unchanged: number
  /** Paths whose content the user may not read. */
  hidden: string[]
  /** Paths below `.git`. */
  git: string[]
}

/** What to bring into a directory. */
export interface WantedFiles {
  root: string
  stored: readonly StackFile[]
  /** The files of the revision that the directory had last, if that is known. */
  before: readonly StackFile[] | undefined
  readsSecrets: boolean
}

/**
 * Returns what a download would change. Throws a `CliFailure` if a directory or link of the
 * directory is in the way, or the list of the service is not safe.
 */
export async function planDownload(wanted: WantedFiles): Promise<DownloadPlan> {
  const { stored, readsSecrets } = wanted
  const before = checkedEntries(wanted.before ?? [])
  const earlier = new Map(before.map((entry) => [entry.path, entry]))
  const all = checkedEntries(stored)
  const local = new LocalFolder(wanted.root, freeModes(stored))
  const isHere = async (entry: StoredEntry | undefined) =>
    entry !== undefined && (await local.stateOf(entry)) === 'same'
  const plan: DownloadPlan = {
    write: [],
    replace: [],
    remove: [],
    unchanged: 0,
    hidden: [],
    git: [],
  }
  const blocked: string[] = []
  for (const entry of all) {
    if (isOfGit(entry)) plan.git.push(entry.path)
    else if ('secret' in entry && entry.secret && !readsSecrets) plan.hidden.push(entry.path)
    else {
      const state = await local.stateOf(entry)
      if (typeof state === 'object') blocked.push(state.blocked)
      else if (state === 'same') plan.unchanged += 1
      else if (state === 'absent' || (await isHere(earlier.get(entry.path)))) plan.write.push(entry)
      else plan.replace.push(entry)
    }
  }
  const paths = new Set(all.map(({ path }) => path))
  for (const entry of before) {
    if (!paths.has(entry.path) && !isOfGit(entry) && (await isHere(entry)))
      plan.remove.push(entry.path)
  }
  if (blocked.length > 0)
    throw failed(`nothing was written: ${shortList([...new Set(blocked)])}`, {
      hint: 'move it away, or use another directory',
    })
  return plan
}

/** Returns the files whose mode the service decides. */
const freeModes = (stored: readonly StackFile[]): ReadonlySet<string> =>
  new Set([
    ...[mainFileOf(stored), '.env'],
    ...stored.map(({ path }) => path).filter((path) => /^compose\.[^/]+\.yaml$/.test(path)),
  ])
