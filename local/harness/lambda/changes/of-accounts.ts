import type { Json } from '../../../../adapters/testing/json.ts'
import { present } from '../../../../adapters/testing/present.ts'
import { openFeed } from '../../feeds.ts'
import type { Cloud } from '../cloud.ts'
import { askCloud, logInto, password } from '../cloud-client.ts'
import { type Client, type NewChange, once } from './change.ts'

/** Returns changes that users make to their own accounts, by the group of functions. */
export function accountChanges(cloud: Cloud, client: Client): Record<string, NewChange> {
  const userNamed = (username: string) =>
    once(() => client.create('/users', { username, password, role: 'viewer' }))
  const [ben, cleo, dora] = [userNamed('ben'), userNamed('cleo'), userNamed('dora')]
  return {
    auth: async (number) => {
      await ben()
      const agent = `login-${number}`
      return {
        send: (requestId) =>
          askCloud(cloud, '/auth/login', {
            method: 'POST',
            body: { username: 'ben', password },
            headers: { 'user-agent': agent, 'x-request-id': requestId },
          }),
        async read(answer) {
          const session = await sessionOf(cloud, 'ben')
          const sessions = (await client.get('/me/sessions', session)) as Json[]
          const isListed = sessions.some((one) => one.user_agent === agent)
          return isListed && (!answer || (await isValid(cloud, answer.json.access_token)))
        },
        wanted: true,
      }
    },
    'api-tokens': async (number) => {
      await dora()
      const session = await sessionOf(cloud, 'dora')
      const name = `token-${number}`
      return {
        send: client.send('POST', '/api-tokens', { name }, session),
        async read(answer) {
          const tokens = (await client.get('/api-tokens', session)) as Json[]
          const isListed = tokens.some((one) => one.name === name)
          return isListed && (!answer || (await isValid(cloud, answer.json.token)))
        },
        wanted: true,
      }
    },
    me: passwords(cloud, client, cleo),
    feeds: async () => {
      // Starts the function, which has nothing to read.
      await client.create('/ws/ticket')
      return {
        send: client.send('POST', '/ws/ticket'),
        read: async (answer) => answer !== undefined && opensFeed(cloud, answer.json.ticket),
        wanted: true,
      }
    },
  }
}

/** Changes the password of `cleo`. Either the old one or the new one must be valid. */
function passwords(cloud: Cloud, client: Client, cleo: () => Promise<unknown>): NewChange {
  let possible = [password]
  const valid = async () => {
    for (const words of possible) {
      if ((await logInto(cloud, 'cleo', words)).status === 200) return words
    }
    return undefined
  }
  return async (number) => {
    await cleo()
    const before = present(await valid())
    const after = `${password} ${number}`
    possible = [after, before]
    const body = { current_password: before, password: after }
    const session = await sessionOf(cloud, 'cleo', before)
    // Starts the function, as passwords are read from another one.
    await client.get('/me', session)
    return {
      send: client.send('PUT', '/me/password', body, session),
      read: valid,
      wanted: after,
    }
  }
}

async function sessionOf(cloud: Cloud, username: string, words?: string): Promise<string> {
  return (await logInto(cloud, username, words)).json.access_token
}

async function isValid(cloud: Cloud, credential: string): Promise<boolean> {
  return (await askCloud(cloud, '/me', { as: credential })).status === 200
}

/** Opens a feed of the service with a ticket. Returns true if the ticket was valid. */
async function opensFeed({ service }: Cloud, ticket: string): Promise<boolean> {
  const feed = await openFeed(`${service.feeds}/api/v1/ws/events?ticket=${ticket}`)
  feed.ws.close()
  await feed.ended
  return true
}
