import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { refresh } from './refresh.ts'
import { usePolled } from './use-polled.ts'

/** How a stack follows a source. */
export type FollowedSource = components['schemas']['FollowedSource']
/** The part of it that a user saves. */
export type FollowTerms = Pick<
  FollowedSource,
  'source' | 'path' | 'also' | 'on_change' | 'overwrite'
>

/** Milliseconds. A look that finds nothing new is no event, and neither is one that fails. */
const pace = 30_000

/** Reads how a stack follows its source; a 404 if it follows none. */
export const useFollowedSource = (name: string) =>
  usePolled('/stacks/{name}/source', { name }, pace)

/** Lets a stack follow a source. Syncs and deployments act as the user from then on. */
export async function followSource(name: string, body: FollowTerms): Promise<FollowedSource> {
  const followed = await unwrap(
    api.PUT('/stacks/{name}/source', { params: { path: { name } }, body }),
  )
  refresh('/stacks/{name}', '/stacks/{name}/source')
  return followed
}

/** Takes what the source of a stack has now. Resolves also if that failed: see `last_error`. */
export async function syncStack(name: string): Promise<FollowedSource> {
  const synced = await unwrap(
    api.POST('/stacks/{name}/source/sync', { params: { path: { name } } }),
  )
  refresh('/stacks/{name}', '/stacks/{name}/source')
  return synced
}

/** Lets a stack follow no source. It stays as it is, and so do its files. */
export async function stopFollowing(name: string): Promise<void> {
  await unwrap(api.DELETE('/stacks/{name}/source', { params: { path: { name } } }))
  refresh('/stacks/{name}')
}
