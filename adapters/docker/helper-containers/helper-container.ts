import { setTimeout as pause } from 'node:timers/promises'
import { unprocessable } from '../../../functions/core/errors.ts'
import { newHelperName, ownLabel } from '../names/labels.ts'
import { isConflict, isMissing, unlessMissing } from '../responses/errors.ts'
import { createdContainer } from '../responses/response-shapes.ts'
import type { EngineClient } from '../transport/client.ts'
import { forgetHelperImage, helperImageId } from './helper-image.ts'

/** The path in a helper at which the directory is mounted. */
export const mountPoint = '/files'

/** Additional properties of a helper, in the Engine's format. */
export type HelperConfig = Record<string, unknown> & { Labels?: Record<string, string> }

/**
 * Creates a helper container from the id of the image that this process imported or verified.
 * Returns the container's id. Imports the image again if it is gone, and tries another name if the
 * name is taken.
 *
 * @throws 422 if the Engine is Podman
 */
export async function createHelper(
  client: EngineClient,
  hostConfig: Record<string, unknown>,
  config: HelperConfig = {},
): Promise<string> {
  // Fails fast if the Engine hangs: creating a container has a deadline of 30 s.
  await client.ping()
  await refusePodman(client)
  const create = async () =>
    client.json<{ Id: string }>({
      method: 'POST',
      path: '/containers/create',
      query: { name: newHelperName() },
      deadline: 30_000,
      shape: createdContainer,
      body: {
        Image: await helperImageId(client),
        Entrypoint: ['/unlink'],
        ...config,
        Labels: { [ownLabel]: 'files', ...config.Labels },
        NetworkDisabled: true,
        // Without this, SELinux would deny the program that deletes access to the host's files.
        HostConfig: { NetworkMode: 'none', SecurityOpt: ['label=disable'], ...hostConfig },
      },
    })
  try {
    return (await create()).Id
  } catch (error) {
    if (isMissing(error)) forgetHelperImage(client)
    else if (!isConflict(error)) throw error
    return (await create()).Id
  }
}

/**
 * Podman follows links when it looks at a path of a container, so a link that a container makes
 * could lead reads and writes out of the directory of its stack.
 */
async function refusePodman(client: EngineClient): Promise<void> {
  const version = await client.json<{ Components?: unknown }>({ method: 'GET', path: '/version' })
  const components: unknown[] = Array.isArray(version?.Components) ? version.Components : []
  if (!components.some((one) => (one as { Name?: unknown } | null)?.Name === 'Podman Engine'))
    return
  throw unprocessable(
    `Host ${client.host} runs Podman, whose API follows links: the service neither reads nor writes files there, so it deploys, adopts and restores no stacks. Use Docker Engine`,
  )
}

/** Milliseconds between attempts to remove a helper that another process is removing. */
const removalPause = 100

/**
 * Removes a helper container. Does nothing if it is gone. The Engine refuses while another process
 * removes it, and that removal can still fail, so this retries until the helper is gone.
 *
 * @param within milliseconds to retry
 * @throws 409 if it is still being removed after that time
 */
export async function removeHelper(
  client: EngineClient,
  id: string,
  { within = 30_000 } = {},
): Promise<void> {
  const path = `/containers/${id}`
  const call = { method: 'DELETE', path, query: { force: true }, deadline: 30_000 } as const
  const end = performance.now() + within
  for (;;) {
    try {
      await unlessMissing(client.json(call))
      return
    } catch (error) {
      if (!isConflict(error) || performance.now() > end) throw error
    }
    await pause(removalPause)
  }
}
