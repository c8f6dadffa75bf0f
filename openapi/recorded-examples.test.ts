import { expect, test } from 'vitest'
import { internalError } from '../functions/core/errors.ts'
import type { AnyEndpoint } from '../functions/kit/endpoint.ts'
import { routesOf } from '../functions/kit/manifest.ts'
import { type CallRequest, call } from '../local/harness/call.ts'
import { world } from '../local/harness/world.ts'
import { routes } from '../serverless.ts'

type Request = Pick<CallRequest<never>, 'path' | 'query' | 'body'>

/** The examples of one operation, as `openapi/recorded-examples.json` has them. */
interface Recorded {
  body?: unknown
  returns?: unknown
  failed?: unknown
}

const compose = `services:
  web:
    image: nginx:1
    command: sleep 3600
    ports: ["8081:80"]
`

/**
 * Makes the calls of a usual day with a service in memory, and calls whose work fails. Returns them
 * as examples.
 */
async function record(): Promise<Record<string, Recorded>> {
  const { ports, engine } = world()
  const recorded: Record<string, Recorded> = {}
  const send = async (route: string, request: Request) => {
    const found = routesOf(routes).find(({ method, path }) => `${method} ${path}` === route)
    const endpoint: AnyEndpoint | undefined = (await found?.load())?.default
    if (!endpoint) throw new Error(`${route}: no such route`)
    ports.clock.advance(1000)
    const { status, json, text } = await call(endpoint, {
      ...request,
      route,
      as: 'admin',
      ports: ports as never,
    })
    if (status >= 300) throw new Error(`${route}: ${status} ${text}`)
    return json
  }
  const keep = async (route: string, { body, ...place }: Request = {}) => {
    const returns = await send(route, { ...place, body })
    recorded[route] = { ...recorded[route], ...(body !== undefined && { body }), returns }
    return returns
  }
  const keepFailed = async (route: string, request: Request) => {
    const failed = await send(route, request)
    expect(failed.status, route).toBe('failed')
    recorded[route] = { ...recorded[route], failed }
  }
  const path = { name: 'shop' }
  await keep('GET /me')
  await keep('GET /hosts')
  await keep('GET /settings')
  await keep('POST /stacks', { body: { name: 'shop', compose } })
  await keep('POST /stacks/{name}/plan', { path, body: {} })
  await keep('POST /stacks/{name}/deploy', { path, body: { revision: 1 } })
  const lost = { compose: compose.replace('nginx:1', 'registry.example.org/shop:2') }
  await keep('PUT /stacks/{name}', { path, body: lost })
  await keepFailed('POST /stacks/{name}/deploy', { path, body: {} })
  const [failed, first] = await keep('GET /stacks/{name}/deployments', { path })
  await keep('GET /stacks/{name}/deployments/{id}', { path: { ...path, id: failed.id } })
  await keep('POST /stacks/{name}/rollback', { path, body: { deployment_id: first.id } })
  await keep('GET /stacks/{name}', { path })
  await keep('GET /stacks')
  await keep('GET /stacks/{name}/status', { path })
  const [container] = await keep('GET /containers')
  await keep('GET /containers/{id}', { path: { id: container.id } })
  await keep('GET /images')
  await keep('GET /networks')
  await keep('POST /stacks/{name}/restart', { path, body: {} })
  await keep('POST /stacks/{name}/stop', { path })
  await keep('POST /stacks/{name}/down', { path, body: {} })
  await keep('GET /users')
  const failAt = (action: string, message: string) => {
    const failure = internalError(message, { reason: 'engine-failed' })
    engine.failing = (step) => (step.action === action ? failure : undefined)
  }
  failAt('start', 'port 8081 of the host is already in use')
  await keepFailed('POST /stacks/{name}/rollback', { path, body: { deployment_id: first.id } })
  failAt('remove', 'the Engine could not remove it: device or resource busy')
  await keepFailed('POST /stacks/{name}/down', { path, body: {} })
  engine.failing = undefined
  await send('POST /stacks/{name}/deploy', { path, body: {} })
  const verbs = {
    stop: 'the Engine could not stop it: permission denied',
    start: 'port 8081 of the host is already in use',
    restart: 'port 8081 of the host is already in use',
    pause: 'the Engine cannot pause it: no cgroup freezer',
    unpause: 'the Engine cannot unpause it: no cgroup freezer',
    pull: 'Pulling nginx:1 failed: there is no such image in the registry',
  }
  for (const [verb, message] of Object.entries(verbs)) {
    const route = `POST /stacks/{name}/services/{service}/${verb}`
    const request = { path: { ...path, service: 'web' }, body: {} }
    failAt(verb, message)
    await keepFailed(route, request)
    engine.failing = undefined
    await send(route, request)
  }
  failAt('remove', 'the Engine could not remove it: device or resource busy')
  const web = { ...path, service: 'web' }
  const scale = { path: web, body: { replicas: 0 } }
  await keepFailed('POST /stacks/{name}/services/{service}/scale', scale)
  const dockerfile = 'services: {app: {build: {context: ., dockerfile_inline: "FROM nginx:1"}}}'
  await send('POST /stacks', { body: { name: 'site', compose: dockerfile } })
  failAt('build', 'Building site-app failed: a command returned a non-zero code: 1')
  const app = { path: { name: 'site', service: 'app' }, body: {} }
  await keepFailed('POST /stacks/{name}/services/{service}/build', app)
  engine.failing = undefined
  const sources = [{ kind: 'stack', name: 'shop' }]
  const job = { name: 'nightly', sources, target: { kind: 'local', path: 'shop' } }
  const { id } = await send('POST /backup-jobs', { body: job })
  const run = { path: { id }, query: { wait: 'true' } }
  const backup = await send('POST /backup-jobs/{id}/run', run)
  failAt('start', 'port 8081 of the host is already in use')
  await keepFailed('POST /backup-runs/{id}/restore', {
    path: { id: backup.id },
    query: run.query,
    body: { sources, stack_name: 'copy' },
  })
  engine.offline = internalError('host local: it does not respond', { reason: 'host-offline' })
  await keepFailed('POST /backup-jobs/{id}/run', run)
  return recorded
}

/**
 * Replaces ids and digests of backups by those of their order, so that they stay the same when
 * others are made first. A backup is encrypted with a new key each time.
 */
function withSteadyIds(text: string): string {
  const known = new Map<string, string>()
  const numberOf = (id: string) => {
    const number = (known.get(id) ?? String(known.size + 1)).padStart(12, '0')
    known.set(id, number)
    return number
  }
  return text
    .replace(
      /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
      (id) => `01977d3c-7a00-7000-8000-${numberOf(id)}`,
    )
    .replace(/(?<="sha256": ")[0-9a-f]{64}/g, (digest) => numberOf(digest).padStart(64, '9cf6e19e'))
}

test('examples are what the service answers now: npx vitest run -u openapi/recorded', async () => {
  const text = `${JSON.stringify(await record(), null, 2)}\n`
  await expect(withSteadyIds(text)).toMatchFileSnapshot('recorded-examples.json')
})
