import { broken } from '../../functions/core/errors.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import type { EngineClient } from './client.ts'
import { isMissing, unlessConflict, unlessMissing } from './errors.ts'
import { jsonLines } from './json-lines.ts'
import { helperImage, ownLabel } from './labels.ts'
import { unlinkProgram } from './unlink.ts'

/** Where the directory is mounted in a helper. */
export const mountPoint = '/files'

/** What a helper has besides; all as the Engine takes it. */
export type HelperConfig = Record<string, unknown> & { Labels?: Record<string, string> }

/** Makes a helper container, and the image first when it is not there. Gives its id. */
export async function createHelper(
  client: EngineClient,
  hostConfig: Record<string, unknown>,
  config: HelperConfig = {},
  name?: string,
): Promise<string> {
  const create = () =>
    client.json<{ Id: string }>({
      method: 'POST',
      path: '/containers/create',
      query: { name },
      deadline: 30_000,
      body: {
        Image: helperImage,
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
    if (!isMissing(error)) throw error
    await importImage(client)
    return (await create()).Id
  }
}

/** Removes a helper container; one that is gone is done, and one that somebody else is removing. */
export async function removeHelper(client: EngineClient, id: string): Promise<void> {
  const path = `/containers/${id}`
  const call = { method: 'DELETE', path, query: { force: true }, deadline: 30_000 } as const
  await unlessConflict(unlessMissing(client.json(call)))
}

async function importImage(client: EngineClient): Promise<void> {
  const { Arch } = await client.json<{ Arch: string }>({ method: 'GET', path: '/version' })
  const program = unlinkProgram(Arch)
  const file = await tarOf(program ? [{ path: 'unlink', content: program, mode: 0o755 }] : [])
  const [repo, tag] = helperImage.split(':')
  const response = await client.stream({
    method: 'POST',
    path: '/images/create',
    query: { fromSrc: '-', repo, tag, changes: `LABEL ${ownLabel}=files` },
    file,
    deadline: 30_000,
  })
  for await (const line of jsonLines(response)) {
    if (line.error) throw broken(`The image for writing files could not be made: ${line.error}`)
  }
}
