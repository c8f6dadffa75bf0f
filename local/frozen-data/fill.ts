import { randomBytes } from 'node:crypto'
import type { Json } from '../../adapters/testing/json.ts'
import { api, type Running, until } from '../harness/service.ts'

const compose = (project: string, command: string) => `services:
  web:
    image: busybox:latest
    init: true
    stop_grace_period: 1s
    command: ["sleep", "${command}"]
    environment: {GREETING: "\${GREETING}"}
    volumes: ["data:/data", "./site:/site:ro"]
    labels: {team: "${project}"}
volumes:
  data:
`
/** A value of a secret file, which the store has encrypted. */
const greeting = 'Grüße from the past'

type Ask = (method: string, path: string, body?: unknown) => Promise<Json>

/**
 * Works with a service of any commit as its people would. Returns what must be found in its data
 * afterwards. What an earlier commit has no route for is left out.
 *
 * @param stack the name of the stack that it deploys
 * @throws if the service refuses something that it has a route for
 */
export async function fill(service: Running, token: string, stack: string) {
  const ask: Ask = async (method, path, body) => {
    const { status, json } = await api(service, method, path, { token, body })
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`)
    return json
  }
  const { paths } = await ask('GET', '/openapi.json')
  const routes = new Set(Object.keys(paths).map((path) => path.replace(/^\/api\/v1/, '')))
  const people = await fillPeople(ask)
  const stackContent = await fillStack(ask, stack)
  const backup = routes.has('/backup-jobs') ? await fillBackup(ask, stack) : null
  const alerts = routes.has('/alert-rules') ? await fillAlerts(ask) : null
  await keepEverything(ask)
  const registry = { address: 'registry.example.org', username: 'puller' }
  await ask('POST', '/registries', { ...registry, password: secret() })
  const rows: Json[] = await ask('GET', '/audit')
  const audit = rows.map(({ action }) => action as string).reverse()
  return { ...people, stack: stackContent, backup, alerts, registry, audit }
}

/** What a JSON file of this folder says about its archive. `audit` has the actions in order. */
export type Frozen = Awaited<ReturnType<typeof fill>> & {
  commit: string
  date: string
  subject: string
  admin: { username: string; password: string }
}

const secret = () => randomBytes(12).toString('hex')

async function fillPeople(ask: Ask) {
  const role = { name: 'reader', permissions: ['stacks:read', 'audit:read'] }
  await ask('POST', '/roles', role)
  const users = ['operator', 'viewer', 'reader'].map((name) => ({
    username: `the-${name}`,
    password: secret(),
    role: name,
  }))
  for (const user of users) await ask('POST', '/users', user)
  const { token } = await ask('POST', '/api-tokens', { name: 'ci' })
  return { role, users, apiToken: { name: 'ci', token: token as string } }
}

async function fillStack(ask: Ask, name: string) {
  const env = `GREETING=${greeting}\n`
  await ask('POST', '/stacks', { name, compose: compose(name, '3600'), env })
  await deploy(ask, name)
  await ask('PUT', `/stacks/${name}`, { compose: compose(name, '7200') })
  await deploy(ask, name)
  const { revision } = await ask('GET', `/stacks/${name}`)
  const deployments: Json[] = await ask('GET', `/stacks/${name}/deployments`)
  return { name, compose: compose(name, '7200'), env, revision, deployments: deployments.length }
}

async function deploy(ask: Ask, name: string) {
  const { status, error } = await ask('POST', `/stacks/${name}/deploy`, {})
  if (status !== 'succeeded') throw new Error(`the deploy ${status}: ${error}`)
}

/** Backs up the stack, encrypted with a key of the service, and the service itself. */
async function fillBackup(ask: Ask, stack: string) {
  const runs: { job: string; files: number }[] = []
  for (const [job, source] of [
    ['nightly', { kind: 'stack', name: stack }],
    ['weekly', { kind: 'system' }],
  ] as const) {
    const target = { kind: 'local', path: job }
    const more = { schedule: '30 3 * * *', encrypt: true, enabled: false }
    const { id } = await ask('POST', '/backup-jobs', {
      name: job,
      sources: [source],
      target,
      ...more,
    })
    const begun = await ask('POST', `/backup-jobs/${id}/run`)
    const look = () => ask('GET', `/backup-runs/${begun.id}`)
    const run = await until(look, ({ status }) => status !== 'running')
    if (run.status !== 'succeeded') throw new Error(`the backup ${run.status}: ${run.error}`)
    const { files } = await ask('POST', `/backup-runs/${begun.id}/verify`)
    runs.push({ job, files })
  }
  return runs
}

async function fillAlerts(ask: Ask) {
  const channel = { name: 'Pager', kind: 'webhook', url: 'https://hooks.example.invalid/in' }
  const { id } = await ask('POST', '/alert-channels', { ...channel, secret: secret() })
  const rule = { name: 'Down', metric: 'container_down', match: { containers: ['frozen-none'] } }
  await ask('POST', '/alert-rules', { ...rule, channels: [id] })
  return { channel: channel.name, rule: rule.name }
}

/** Lets no retention remove what must be found, as far as this version has it. */
async function keepEverything(ask: Ask) {
  const settings: Json = await ask('GET', '/settings')
  const wanted = { 'retention.days': 3650, 'retention.deployments': 10_000 }
  const known = Object.entries(wanted).filter(([key]) => key in settings)
  const changed = Object.fromEntries([...known, ['auth.lockout_max_attempts', 7]])
  await ask('PUT', '/settings', changed)
}
