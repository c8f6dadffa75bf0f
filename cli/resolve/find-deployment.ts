import type { Client } from '../api/client.ts'
import type { Deployment } from '../api/types.ts'
import { failed } from '../failure.ts'
import { idsOf, one } from './find.ts'
import { isWholeId } from './resolve.ts'

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
 * Returns the newest earlier deployment that succeeded and differs from the last one in files,
 * environment or images. `deployments` are newest first.
 */
export function previousOf(deployments: readonly Deployment[]): Deployment | undefined {
  const [newest, ...earlier] = deployments.filter(({ kind }) => /^(deploy|rollback)$/.test(kind))
  return newest && earlier.find((one) => one.status === 'succeeded' && !isSame(one, newest))
}

const isSame = (one: Deployment, other: Deployment) => contentOf(one) === contentOf(other)

function contentOf({ revision, environment, images }: Deployment): string {
  const sorted = Object.entries(images).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([revision, environment, sorted])
}
