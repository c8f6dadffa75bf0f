import { SourceFailure } from '../../functions/core/ports/source-reader.ts'
import type { SourceLimits } from '../../functions/core/records/source-address.ts'
import { DamagedCopy, type Line } from './exchange.ts'
import { fetchBlobs, fetchCommit } from './fetch.ts'
import { type CommitContent, checkSizes, neededEntries } from './git-tree.ts'
import type { Repository } from './repository.ts'

/** What is read of a commit. */
export interface Wanted {
  revision: string
  paths: readonly string[]
  limits: SourceLimits
}

/**
 * Returns what a commit has. The server is asked only for what the repository does not have: for
 * the folders, and for the contents of the files that are needed.
 *
 * @param withLine runs work with a line to the server
 * @throws SourceFailure, or DamagedCopy
 */
export async function readCommit(
  repository: Repository,
  wanted: Wanted,
  withLine: <T>(work: (line: Line) => Promise<T>) => Promise<T>,
): Promise<CommitContent> {
  const known = await findContent(repository, wanted)
  if (known && known.missing.length === 0) return known.content
  return withLine(async (line) => {
    if (!known) await fetchCommit(line, repository, wanted.revision)
    const found = known ?? (await findContent(repository, wanted))
    if (!found) throw damaged()
    if (found.missing.length > 0) {
      await fetchBlobs(line, repository, wanted.revision, found.missing)
    }
    const all = found.missing.length > 0 ? await findContent(repository, wanted) : found
    if (!all || all.missing.length > 0) throw damaged()
    return all.content
  })
}

/** Returns what the repository has, and the IDs of the contents that it lacks. */
async function findContent(repository: Repository, { revision, paths, limits }: Wanted) {
  const commit = await repository.commit(revision)
  const entries = commit && (await repository.entries(commit.tree))
  if (!entries) return undefined
  const files = neededEntries(entries, paths, limits)
  const ids = [...new Set(files.map(({ id }) => id))]
  const sizes = await repository.sizes(ids)
  checkSizes(files, paths, sizes, limits)
  const missing = ids.filter((id) => !sizes.has(id))
  return { content: { revision, commit, entries, files, sizes, repository }, missing }
}

const damaged = () =>
  new DamagedCopy(
    new SourceFailure(
      'malformed',
      'the server sent a part of the commit only: run `git fsck` in the repository, and look again',
    ),
  )
