import { SourceFailure } from '../../functions/core/ports/source-reader.ts'
import { isCommitId } from '../../functions/core/sources/git-place.ts'
import { type Line, openExchange, whyFailed } from './exchange.ts'
import { longIds } from './failures.ts'
import { probe } from './probe.ts'
import type { Repository } from './repository.ts'
import { startGit } from './run-git.ts'

/** Bytes of one line: an ID and the name of a branch or tag. */
const lineMax = 8192

/**
 * Returns the commit that the reference of the source names now. The server lists its branches and
 * tags in one answer, of which nothing is kept. A full commit ID names itself: the answer only
 * shows that the repository can be read, as commits are not listed.
 *
 * @throws SourceFailure
 */
export async function findRef(line: Line, repository: Repository): Promise<string> {
  const { source, place, dialer, meter } = line
  const exchange = await openExchange(line, repository)
  try {
    const git = startGit({
      ...exchange.run,
      repository: repository.path,
      limits: repository.limits,
      words: ['ls-remote', '--quiet', ...extentOf(source.ref)],
      signal: meter.signal,
    })
    git.stdin.end()
    const { found, isEmpty } = await collect(git.stdout, namesOf(source.ref))
    const end = await git.ended
    if (end.code !== 0) throw await whyFailed(end, exchange, line)
    // A branch may have the ID of another commit as its name.
    if (isCommitId(source.ref) && !isEmpty) return source.ref
    const name = namesOf(source.ref).find((one) => found.has(one))
    const id = name === undefined ? undefined : (found.get(`${name}^{}`) ?? found.get(name))
    if (id !== undefined && !isLong(id)) return id
    if (id !== undefined) throw longIds(place.host)
    // For git, any page is a list without names.
    const failure =
      place.scheme === 'https' ? await probe(place, source, dialer, meter.signal) : undefined
    if (failure) throw failure
    throw new SourceFailure(
      'no-such-ref',
      `the repository at ${place.host} has no branch or tag ${JSON.stringify(source.ref)}: check the name, and whether it was pushed`,
    )
  } finally {
    exchange.close()
  }
}

/** Names that a short one can stand for, as git reads it. */
const namesOf = (ref: string) => [ref, `refs/${ref}`, `refs/tags/${ref}`, `refs/heads/${ref}`]

/**
 * Returns what is listed: some servers have hundreds of thousands of other references. Kinds are
 * left out by the server. A pattern is for git alone, and hides the commits of tags.
 */
function extentOf(ref: string): string[] {
  const from = ['--end-of-options', 'origin']
  if (ref === 'HEAD') return [...from, ref]
  if (ref.startsWith('refs/heads/') || isCommitId(ref)) return ['--heads', ...from]
  if (ref.startsWith('refs/tags/')) return ['--tags', ...from]
  return ref.startsWith('refs/') ? from : ['--heads', '--tags', ...from]
}

/** Whether it is an ID of SHA-256. */
const isLong = (id: string) => id.length === 64

/**
 * Returns the IDs of these references, and of the commits that tags among them stand for, and
 * whether no reference at all was listed.
 */
async function collect(
  output: AsyncIterable<Buffer>,
  names: readonly string[],
): Promise<{ found: Map<string, string>; isEmpty: boolean }> {
  const wanted = new Set(names.flatMap((name) => [name, `${name}^{}`]))
  const found = new Map<string, string>()
  let isEmpty = true
  let rest = ''
  for await (const chunk of output) {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = (lines.pop() ?? '').slice(0, lineMax)
    for (const text of lines) {
      const [id = '', name = ''] = text.split('\t')
      if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) continue
      isEmpty = false
      if (wanted.has(name)) found.set(name, id)
    }
  }
  return { found, isEmpty }
}
