import type { Client } from '../api/client.ts'
import type { Deployment } from '../api/types.ts'
import { failed, wrongUsage } from '../failure.ts'
import { idsOf, one } from './find.ts'
import { ambiguous, isWholeId } from './resolve.ts'

/**
 * Returns the id of a deployment of a stack: of the one with that id or beginning of an id, or of
 * the previous one for `previous`. Throws a `CliFailure` if there is none.
 */
export async function findDeployment(service: Client, name: string, text: string): Promise<string> {
  if (isWholeId(text)) return text
  const { value } = await service.get('/stacks/{name}/deployments', { path: { name } })
  if (text !== 'previous') return one('deployment', text, idsOf(value)).id
  const found = previousOf(value)
  if (found) return found.id
  throw failed(`stack ${name} has no earlier deployment to go back to`, {
    hint: `run: cli stacks deployments ${name}`,
  })
}

/**
 * Returns the id of the newest deployment of a commit that succeeded. The commit is given by its ID
 * or at least 7 digits that this begins with; the digest of an artifact works too. Throws a
 * `CliFailure` if there is none, or if the digits are those of several commits.
 */
export async function findDeploymentOf(
  service: Client,
  name: string,
  commit: string,
): Promise<string> {
  const digits = commitDigits(commit)
  const { value } = await service.get('/stacks/{name}/deployments', { path: { name } })
  const found = deploymentOf(value, commit)
  if (found) return found.id
  throw failed(`stack ${name} has no deployment of commit ${digits} that succeeded`, {
    hint: `run: cli stacks deployments ${name}`,
  })
}

/** Returns the hex digits of a commit, or of its beginning. Throws wrong usage if it has others. */
export function commitDigits(commit: string): string {
  const digits = digitsOf(commit)
  if (/^[0-9a-f]{7,64}$/.test(digits)) return digits
  const shown = JSON.stringify(commit)
  throw wrongUsage(`--commit: ${shown} is no commit ID, and not its first 7 or more hex digits`)
}

/** Returns whether a revision of a source has these digits of `commitDigits`. */
export const isCommit = (revision: string, digits: string): boolean =>
  digitsOf(revision).startsWith(digits)

const digitsOf = (revision: string) => revision.toLowerCase().replace(/^sha256:/, '')

/**
 * Returns the newest deployment that succeeded and took a commit from a source. The deployments are
 * newest first; `commit` is as of `findDeploymentOf`. Throws a `CliFailure` if several commits
 * match.
 */
export function deploymentOf(
  newestFirst: readonly Deployment[],
  commit: string,
): Deployment | undefined {
  const digits = digitsOf(commit)
  const matches = newestFirst.filter(
    ({ source, status }) =>
      status === 'succeeded' && source !== null && digitsOf(source.revision).startsWith(digits),
  )
  const commits = [...new Set(matches.flatMap(({ source }) => source?.revision ?? []))]
  if (commits.length > 1)
    throw ambiguous(
      'commit',
      commit,
      commits.map((id) => ({ id })),
    )
  return matches[0]
}

/**
 * Returns the newest deployment that succeeded before the one that runs, and differs from it in
 * files, environment or images. After a rollback, the one that runs is the deployment that the
 * rollback deployed again, so that a second rollback goes one further back. `deployments` are
 * newest first.
 */
export function previousOf(deployments: readonly Deployment[]): Deployment | undefined {
  const deploys = deployments.filter(({ kind }) => /^(deploy|rollback)$/.test(kind))
  const [newest] = deploys
  if (!newest) return undefined
  const target = newest.status === 'succeeded' ? newest.rolled_back_to : null
  const current = deploys.find(({ id }) => id === target) ?? newest
  const content = contents(deploys)
  const earlier = deploys.slice(deploys.indexOf(current) + 1)
  return earlier.find((one) => one.status === 'succeeded' && content(one) !== content(current))
}

/**
 * Returns a function that tells what a deployment deployed. The files of a rollback have a revision
 * of their own, and are those of the revision that it went back to.
 */
function contents(newestFirst: readonly Deployment[]): (one: Deployment) => string {
  const original = new Map<number, number>()
  const revisionOf = (revision: number) => original.get(revision) ?? revision
  for (const { revision, rolled_back_to: target } of newestFirst.toReversed()) {
    const found = newestFirst.find(({ id }) => id === target)
    if (found && found.revision !== revision) original.set(revision, revisionOf(found.revision))
  }
  return ({ revision, environment, images }) => {
    const sorted = Object.entries(images).sort(([a], [b]) => (a < b ? -1 : 1))
    return JSON.stringify([revisionOf(revision), environment, sorted])
  }
}
