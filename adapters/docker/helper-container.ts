import { createdContainer } from './answer-shapes.ts'
import type { EngineClient } from './client.ts'
import { isConflict, isMissing, unlessConflict, unlessMissing } from './errors.ts'
import { forgetHelperImage, helperImageId } from './helper-image.ts'
import { newHelperName, ownLabel } from './labels.ts'

/** Where the directory is mounted in a helper. */
export const mountPoint = '/files'

/** What a helper has besides; all as the Engine takes it. */
export type HelperConfig = Record<string, unknown> & { Labels?: Record<string, string> }

/**
 * Creates a helper container from the id of the image that this process imported or verified, and
 * returns the container's id. Imports the image again if it is gone, and tries another name if the
 * name is taken.
 */
export async function createHelper(
  client: EngineClient,
  hostConfig: Record<string, unknown>,
  config: HelperConfig = {},
): Promise<string> {
  // A container is given 30 s, an Engine that hangs is not.
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
        // Where SELinux rules, the one that deletes could else not touch the host's files.
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
