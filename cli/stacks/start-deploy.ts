import type { Client, Reply } from '../api/client.ts'
import type { DeployBody, Deployment } from '../api/types.ts'
import { ApiFailure } from '../failure.ts'
import { withoutWaiting } from '../follow/deploy.ts'

/**
 * Starts a deploy: of the revision that was shown, if there is one and the body names none.
 * Services of earlier versions do not know of revisions here; they deploy the newest one.
 */
export async function startDeploy(
  service: Pick<Client, 'post'>,
  name: string,
  body: DeployBody,
  shown: number | undefined,
): Promise<Reply<Deployment>> {
  const start = (revision: number | undefined) =>
    service.post('/stacks/{name}/deploy', {
      path: { name },
      body: { ...body, revision },
      ...withoutWaiting,
    })
  try {
    return await start(body.revision ?? shown)
  } catch (error) {
    if (body.revision !== undefined || shown === undefined || !isUnknownField(error)) throw error
    return start(undefined)
  }
}

const isUnknownField = (error: unknown): boolean =>
  error instanceof ApiFailure && error.status === 400 && error.message.includes('"revision"')
