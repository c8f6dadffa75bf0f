import { randomBytes } from 'node:crypto'
import type { Json } from '../../../../adapters/testing/json.ts'
import { present } from '../../../../adapters/testing/present.ts'
import type { Cloud } from '../cloud.ts'
import { password } from '../cloud-client.ts'
import { type Client, clientOf, type NewChange, once } from './change.ts'
import { storeDeadDelivery } from './dead-delivery.ts'
import { accountChanges } from './of-accounts.ts'

/**
 * Returns a change for each group of functions that changes something without the service, by the
 * name of the group.
 *
 * @param token of an admin
 */
export function changesByGroup(cloud: Cloud, token: string): Record<string, NewChange> {
  const client = clientOf(cloud, token)
  const field = fieldChanges(client)
  return {
    ...accountChanges(cloud, client),
    settings: async (number) => {
      const days = 1 + (number % 3650)
      return {
        send: client.send('PUT', '/settings', { 'retention.days': days }),
        read: async () => (await client.get('/settings'))['retention.days'],
        wanted: days,
      }
    },
    'update-policies': async (number) => {
      const body = { mode: 'notify', minimum_age_hours: number % 1000 }
      return {
        send: client.send('PUT', '/update-policies/default', body),
        read: async () => (await client.get('/update-policies'))[0]?.minimum_age_hours,
        wanted: body.minimum_age_hours,
      }
    },
    roles: async (number) => {
      const role = { name: `role-${number}`, permissions: ['stacks:read'] }
      return {
        send: client.send('POST', '/roles', role),
        read: async () => {
          const roles = (await client.get('/roles')) as Json[]
          return roles.find(({ name }) => name === role.name)
        },
        wanted: { ...role, builtin: false },
      }
    },
    users: field('/users', user, 'email', (number) => `eve${number}@example.org`),
    'oidc-providers': field('/oidc-providers', provider, 'name', (number) => `Login ${number}`),
    registries: removals(client, '/registries', (name) =>
      client.create('/registries', { ...registry, address: `${name}.example.org` }),
    ),
    sources: async (number) => {
      const name = `source-${number}`
      const url = `oci://registry.example.org/team/${name}`
      return {
        send: client.send('POST', '/sources', { name, kind: 'oci', url, ref: '1' }),
        read: async () => {
          const sources = (await client.get('/sources')) as Json[]
          return sources.find((one) => one.name === name)?.url
        },
        wanted: url,
      }
    },
    variables: async (number) => {
      const set = { name: `set-${number}`, variables: { A: '1' } }
      return {
        send: client.send('POST', '/variables', set),
        read: async () => {
          const sets = (await client.get('/variables')) as Json[]
          return sets.find(({ name }) => name === set.name)?.variable_names
        },
        wanted: ['A'],
      }
    },
    'alert-channels': field('/alert-channels', channel('a'), 'name', (number) => `b${number}`),
    'alert-rules': field('/alert-rules', rule, 'cooldown_seconds', (number) => number),
    'alert-deliveries': retries(cloud, client),
    stacks: uploads(client),
    audit: async () => {
      const [{ sequence, mac }] = await client.get('/audit')
      return {
        send: client.send('POST', '/audit/trim', { sequence, mac }),
        read: async () => (await client.get('/audit/verify')).checkpoint?.sequence,
        wanted: sequence,
      }
    },
  }
}

const user = { username: 'eve', password, role: 'viewer' }
const provider = {
  name: 'Login',
  issuer_url: 'https://login.example.org/realms/main',
  client_id: 'container-stacks',
  client_secret: 'a secret',
}
const registry = { username: 'puller', password: 'a token' }
const rule = {
  name: 'Busy',
  metric: 'cpu_percent',
  threshold: 90,
  match: { containers: ['none'] },
}
/** The domain `invalid` never exists. */
const channel = (name: string) => ({
  name,
  kind: 'webhook',
  url: 'https://hooks.invalid/alerts',
  secret: 'a long random text',
})

/** Creates a thing with `body` for the first change. Each change gives its field another value. */
const fieldChanges =
  (client: Client) =>
  (path: string, body: object, field: string, valueFor: (number: number) => unknown): NewChange => {
    const created = once(() => client.create(path, body))
    return async (number) => {
      const { id } = await created()
      const wanted = valueFor(number)
      return {
        send: client.send('PUT', `${path}/${id}`, { [field]: wanted }),
        read: async () => {
          const all = (await client.get(path)) as Json[]
          return present(all.find((one) => one.id === id))[field]
        },
        wanted,
      }
    }
  }

/** Creates a thing for each change, which removes it. */
const removals =
  (client: Client, path: string, create: (name: string) => Promise<Json>): NewChange =>
  async (number) => {
    const { id } = await create(`removed-${number}`)
    return {
      send: client.send('DELETE', `${path}/${id}`),
      read: async () => ((await client.get(path)) as Json[]).some((one) => one.id === id),
      wanted: false,
    }
  }

/** Retries deliveries that were given up. */
function retries({ servicePlace }: Cloud, client: Client): NewChange {
  const created = once(() => client.create('/alert-channels', channel('away')))
  const table = present(servicePlace.env.SERVICE_DYNAMODB_TABLE)
  return async (number) => {
    const { id: channelId } = await created()
    const id = await storeDeadDelivery(table, `dead-${number}`, channelId)
    return {
      send: client.send('POST', `/alert-deliveries/${id}/retry`),
      read: async () => {
        const dead = (await client.get('/alert-deliveries?state=dead')) as Json[]
        return dead.some((one) => one.id === id)
      },
      wanted: false,
    }
  }
}

/** Uploads the only part of files of a stack, which the store has in several items. */
function uploads(client: Client): NewChange {
  const data = randomBytes(1024 ** 2)
  const created = once(() => client.create('/stacks', { name: 'killed', compose: 'services: {}' }))
  return async () => {
    await created()
    const started = await client.create('/stacks/killed/uploads', { size: data.length })
    const path = `/stacks/killed/uploads/${started.upload_id}`
    return {
      send: client.send('PUT', `${path}/parts/0`, { data: data.toString('base64') }),
      read: async () => (await client.get(path)).received,
      wanted: [0],
    }
  }
}
