import type { Client } from 'openapi-fetch'
import type { components, paths } from './api.types.ts'
import { repeat } from './repeat.ts'
import { ServiceError, unwrap } from './service-error.ts'

type Schemas = components['schemas']

/** What takes long, as a 202 returns it. */
export type Started = Schemas['Deployment'] | Schemas['BackupRun'] | Schemas['Operation']

/** Seconds for which one request waits, fewer than the 60 after which many proxies give up. */
const secondsMax = 55

/**
 * Returns a deployment, backup run or operation when it has ended, whether it succeeded or not.
 * Asks again while the service is away or has no room.
 *
 * @throws ServiceError if it may not be read any more, and the reason of the signal if that aborts
 */
export async function waitFor<T extends Started>(
  api: Client<paths>,
  started: T,
  signal?: AbortSignal,
): Promise<T> {
  let latest: Started = started
  while (latest.status === 'running') {
    try {
      latest = await read(api, latest, signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (isRemoved(latest, error)) return { ...latest, status: 'succeeded' } as T
      throw error
    }
  }
  return latest as T
}

/** Returns the operation when it has ended, or as it is after `secondsMax`. */
function read(api: Client<paths>, latest: Started, signal?: AbortSignal): Promise<Started> {
  const query = { wait_seconds: secondsMax }
  const { id } = latest
  const more = signal ? { signal } : {}
  if ('stack' in latest) {
    const params = { path: { name: latest.stack, id }, query }
    const path = '/stacks/{name}/deployments/{id}'
    return unwrap(repeat(() => api.GET(path, { params, ...more }), more))
  }
  const params = { path: { id }, query }
  return 'subject' in latest
    ? unwrap(repeat(() => api.GET('/operations/{id}', { params, ...more }), more))
    : unwrap(repeat(() => api.GET('/backup-runs/{id}', { params, ...more }), more))
}

/** A stack that is deleted takes its deployments along, the removal among them. */
const isRemoved = (latest: Started, error: unknown): boolean =>
  'stack' in latest &&
  latest.kind === 'remove' &&
  error instanceof ServiceError &&
  error.status === 404
