import type { Json } from '../../../adapters/testing/json.ts'
import { api, type Running } from '../service.ts'
import { withRetries } from '../with-retries.ts'
import type { GitServer } from './serve.ts'

/** A process of the service, and an access token of its admin. A test may replace both. */
export interface Served {
  running: Running
  token: string
}

/** Sends a request as the admin. Throws an error with the response if it is refused. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Json>

/** Returns how to ask the process that `served` has at the time. */
export const askOf =
  (served: Served): Ask =>
  async (method, path, body) => {
    const { running, token } = served
    const { status, json } = await withRetries(() => api(running, method, path, { token, body }))
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`)
    return json
  }

/**
 * Makes the source `estate` of a server, which is looked at only when asked, with a hook. Returns
 * how to call the hook of the process at this URL.
 */
export async function makeGitSource(ask: Ask, server: GitServer) {
  await ask('POST', '/sources', {
    name: 'estate',
    kind: 'git',
    url: server.url,
    ref: 'main',
    certificate_authority: server.certificateAuthority,
    look_every_seconds: null,
  })
  const { path, secret } = await ask('POST', '/sources/estate/hook')
  return async ({ url }: Pick<Running, 'url'>): Promise<void> => {
    const headers = { 'Content-Type': 'application/json', 'X-Gitlab-Token': secret }
    const { status } = await fetch(`${url}${path}`, { method: 'POST', headers, body: '{}' })
    if (status !== 202) throw new Error(`the hook responds with ${status}`)
  }
}

/** Has a stack follow a folder of the source `estate`, and deploy what is new there. */
export const followFolder = (ask: Ask, stack: string, path: string): Promise<Json> =>
  ask('PUT', `/stacks/${stack}/source`, { source: 'estate', path, on_change: 'deploy' })

/** Returns the deployments of a stack that its source began, the newest first. */
export async function followedDeployments(ask: Ask, stack: string): Promise<Json[]> {
  const all: Json[] = await ask('GET', `/stacks/${stack}/deployments`)
  return all.filter(({ cause }) => cause === 'source')
}
