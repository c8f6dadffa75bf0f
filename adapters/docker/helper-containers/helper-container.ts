import { newHelperName, ownLabel } from '../names/labels.ts'
import { isConflict, isMissing, unlessConflict, unlessMissing } from '../responses/errors.ts'
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
 */
export async function createHelper(
  client: EngineClient,
  hostConfig: Record<string, unknown>,
  config: HelperConfig = {},
): Promise<string> {
  // Fails fast if the Engine hangs: creating a container has a deadline of 30 s.
  await client.ping()
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

/** Removes a helper container. Does nothing if it is gone or being removed already. */
export async function removeHelper(client: EngineClient, id: string): Promise<void> {
  const path = `/containers/${id}`
  const call = { method: 'DELETE', path, query: { force: true }, deadline: 30_000 } as const
  await unlessConflict(unlessMissing(client.json(call)))
}
