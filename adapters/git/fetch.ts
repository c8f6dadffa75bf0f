import { SourceFailure } from '../../functions/core/ports/source-reader.ts'
import { DamagedCopy, type Line, openExchange, Unadvertised, whyFailed } from './exchange.ts'
import { DamagedData, objectsMax } from './failures.ts'
import type { Repository } from './repository.ts'
import { outputOf } from './run-git.ts'

/** The commit that was fetched last. The server sends only what it does not have. */
const last = 'refs/kept/last'
/** A commit that was fetched by the name of its branch or tag. */
const named = 'refs/kept/named'

const options = [
  ...['--progress', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'],
  ...['--no-recurse-submodules', '--no-show-forced-updates'],
]

/**
 * Leaves the contents of files out. Over ssh all come at once: git checks a `.gitmodules` that was
 * left out by asking once more, for which the one connection that it has is not good.
 */
const filterOf = ({ place }: Line) => (place.scheme === 'https' ? ['--filter=blob:none'] : [])

/**
 * Fetches a commit with its folders. A server that can leave the contents of files out does.
 *
 * @throws SourceFailure
 */
export const fetchCommit = (line: Line, repository: Repository, id: string): Promise<void> =>
  fetchShallow(line, repository, id, filterOf(line))

async function fetchShallow(
  line: Line,
  repository: Repository,
  id: string,
  extent: readonly string[],
): Promise<void> {
  const words = ['fetch', '--depth=1', ...options, ...extent, '--end-of-options', 'origin']
  try {
    await fetchOnce(line, repository, [...words, `+${id}:${last}`])
  } catch (error) {
    if (!(error instanceof Unadvertised)) throw error
    // By protocol 0, servers give what a reference names only.
    if (line.source.ref === id) throw gone(line, id)
    await fetchOnce(line, repository, [...words, `+${line.source.ref}:${named}`]).catch(
      (failed) => {
        throw failed instanceof Unadvertised ? gone(line, id) : failed
      },
    )
    if (!(await repository.commit(id))) throw moved(line, id)
  }
}

/**
 * Fetches the contents of files of a commit by their IDs. By protocol 0, servers leave them out but
 * do not give them by their IDs: then all of the commit is fetched.
 *
 * @throws SourceFailure
 */
export async function fetchBlobs(
  line: Line,
  repository: Repository,
  commit: string,
  ids: readonly string[],
): Promise<void> {
  const words = [
    '-c',
    'fetch.negotiationAlgorithm=noop',
    'fetch',
    ...options,
    ...filterOf(line),
    '--stdin',
  ]
  const input = ids.map((id) => `${id}\n`).join('')
  try {
    await fetchOnce(line, repository, [...words, '--end-of-options', 'origin'], input)
  } catch (error) {
    if (!(error instanceof Unadvertised)) throw error
    await fetchShallow(line, repository, commit, ['--refetch', '--no-filter'])
  }
}

async function fetchOnce(
  line: Line,
  repository: Repository,
  words: readonly string[],
  input = '',
): Promise<void> {
  const exchange = await openExchange(line, repository)
  try {
    const run = {
      ...exchange.run,
      repository: repository.path,
      limits: repository.limits,
      words,
      input,
      objects: objectsMax,
      signal: line.meter.signal,
    }
    const end = await outputOf(run, 1024 ** 2)
    if (end.code === 0) return
    const failure = await whyFailed(end, exchange, line)
    throw failure instanceof DamagedData ? new DamagedCopy(failure) : failure
  } finally {
    exchange.close()
  }
}

const gone = ({ place }: Line, id: string) =>
  new SourceFailure(
    'no-such-ref',
    `the repository at ${place.host} does not give the commit ${id}: it was removed, or the server gives commits by the name of a branch or tag only`,
  )

const moved = ({ place, source }: Line, id: string) =>
  new SourceFailure(
    'unreachable',
    `${JSON.stringify(source.ref)} at ${place.host} does not name ${id} any more; the next look reads what it names now`,
  )
