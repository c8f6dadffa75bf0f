// Ten calls with the client that a generator makes of the description. The test compiles this
// program beside that client; the project itself has none.
import { createClient } from './client/client/index.js'
import {
  alertChannelsCreate,
  authLogin,
  containersList,
  type DeploymentStatus,
  hostsList,
  type Reason,
  settingsGet,
  settingsUpdate,
  stacksCreate,
  stacksDeploy,
  stacksDeploymentsList,
  stacksGet,
  stacksRemove,
} from './client/index.js'

interface Account {
  username: string
  password: string
}

/** Makes the calls, and returns what a program would use of the responses. */
export async function makeCalls(baseUrl: string, account: Account) {
  const open = createClient({ baseUrl, throwOnError: true })
  const { data: session } = await authLogin({ client: open, body: account, throwOnError: true })
  const client = createClient({ baseUrl, auth: () => session.access_token })
  const strict = { client, throwOnError: true } as const

  const path = { name: 'shop' }
  const compose = 'services: {web: {image: "busybox:latest"}}'
  const created = await stacksCreate({ ...strict, body: { ...path, compose } })
  const { data: stack } = await stacksGet({ ...strict, path })
  const statuses: (DeploymentStatus | undefined)[] = []
  for (let count = 0; count < 3; count += 1) {
    const body = { revision: stack.revision }
    const { data: deployment } = await stacksDeploy({ ...strict, path, body })
    statuses.push(deployment.status)
  }

  const stale = await stacksDeploy({ client, path, body: { revision: stack.revision + 1 } })
  const reason = stale.response?.headers.get('X-Error-Reason') as Reason | null

  const { data: all } = await stacksDeploymentsList({ ...strict, path })
  const query = { before: all[0]?.id ?? '', steps: false }
  const { data: older } = await stacksDeploymentsList({ ...strict, path, query })

  const { data: containers } = await containersList({ ...strict, query: { host: 'all' } })
  const names = ('items' in containers ? containers.items : containers).map(({ name }) => name)

  const read = await settingsGet(strict)
  const headers = { 'If-Match': read.response.headers.get('ETag') ?? '' }
  const change = { headers, body: { 'auth.lockout_max_attempts': 3 } }
  const { data: settings } = await settingsUpdate({ ...strict, ...change })
  const { response: refused } = await settingsUpdate({ client, ...change })

  const body = {
    kind: 'ntfy',
    name: 'ops',
    server: 'https://ntfy.example.org',
    topic: 'ops',
  } as const
  const { data: channel } = await alertChannelsCreate({ ...strict, body })
  const { data: hosts } = await hostsList(strict)
  const removed = await stacksRemove({ ...strict, path })

  return {
    created: [created.response.status, created.data.name],
    statuses,
    stale: { error: stale.error?.error, reason, status: stale.response?.status },
    all: all.map(({ id }) => id),
    older: older.map(({ id }) => id),
    names,
    settings: [settings['auth.lockout_max_attempts'], refused?.status],
    channel: [channel.kind, channel.server],
    hosts: hosts.map(({ id, status }) => [id, status]),
    removed: removed.response.status,
  }
}
