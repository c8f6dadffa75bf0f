import { createHash } from 'node:crypto'
import { filePages } from '../../adapters/node/http/pages.ts'
import { hostNameOf } from '../../adapters/testing/memory/hosts.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { makeApiToken } from '../../functions/core/access/api-token.ts'
import type { Pages } from '../../functions/core/ports/pages.ts'
import { type Permission, permissions } from '../../functions/core/records/permissions.ts'
import { present } from '../harness/present.ts'
import { accountOf, signIn } from '../harness/sign-in.ts'
import { givenContainer, givenHost, givenStack, type World, world } from '../harness/world.ts'

/** The password of every caller. */
export const password = 'correct horse battery'

/** Names of objects on the host with the tag `lab`. Only callers with that scope may read them. */
export const inLab = ['shop', 'parcel', 'warden', 'loose', 'near', '"host_id":"local"']
/** Names of objects on the host with the tag `office`. */
export const inOffice = ['barn', 'pallet', 'far', hostNameOf('far')]

const day = 86_400_000

/**
 * Returns a world with two hosts, `local` with the tag `lab` and `far` with the tag `office`, each
 * with a stack and a container. `local` also has an unmanaged project, and `warden`, which controls
 * its host. The role `empty` has no permission, `only` has just this one, and `except` has all
 * others. There is also a user `target`.
 */
export async function matrixWorld(permission: Permission | undefined) {
  const pages = pagesWithProgram()
  const here = world()
  const ports = { ...memoryPorts({ pages }), ...here.ports, pages }
  const whole: World = { ...here, ports: ports as World['ports'] }
  const local = present(await ports.hosts.find('local'))
  await ports.hosts.replace({ ...local, name: 'near', tags: ['lab'] })
  const far = await givenHost(whole, 'far', { tags: ['office'] })
  await givenStack(whole, 'shop', { compose })
  await givenStack(whole, 'barn', { compose, host: 'far' })
  await givenContainer(whole, 'parcel')
  await givenContainer(whole, 'warden', { hostConfig: { Binds: ['/:/host'] } })
  await givenContainer(far, 'pallet')
  await givenProject(whole, 'loose')
  const rolesOf: [string, readonly Permission[]][] = [
    ['empty', []],
    ['only', permission ? [permission] : []],
    ['except', permissions.filter((one) => one !== permission)],
  ]
  for (const [id, list] of rolesOf) {
    await ports.roles.create({ id, permissions: [...list], createdAt: 0 })
  }
  await accountOf(ports, { id: 'target', username: 'paula', role: 'empty', scopeTags: ['lab'] })
  return { ...whole, ports }
}

/**
 * Supplies an agent program, which otherwise comes from a build. A test of permissions does not
 * need one.
 */
function pagesWithProgram(): Pages {
  const files = filePages()
  const program = { text: 'run()', contentType: 'text/javascript', etag: '"1"' }
  return { find: async (name) => (name === 'agent.mjs' ? program : files.find(name)) }
}

export type MatrixWorld = Awaited<ReturnType<typeof matrixWorld>>

const compose = 'services: {web: {image: busybox:latest, command: sleep 60}}'

async function givenProject({ engine }: World, name: string) {
  const label = (key: string, value: string) => ({ [`com.docker.compose.${key}`]: value })
  const Labels = {
    ...label('project', name),
    ...label('service', 'web'),
    ...label('container-number', '1'),
    ...label('oneoff', 'False'),
    ...label('config-hash', 'of-docker-compose'),
    ...label('project.working_dir', `/opt/stacks/${name}`),
    ...label('project.config_files', `/opt/stacks/${name}/compose.yaml`),
  }
  const body = { Image: 'busybox:latest', Cmd: ['sleep', '60'], HostConfig: {}, Labels }
  const about = { index: 0, after: [], reason: 'test', service: null, kind: 'container' as const }
  const signal = new AbortController().signal
  const made = { name: `${name}-web-1`, image: 'busybox:latest', body }
  await engine.execute({ ...about, action: 'create', ...made }, signal)
  await engine.execute({ ...about, action: 'start', name: made.name }, signal)
}

/** The role and scope of a caller, and the state of the credential. */
export interface Column {
  role: string
  scopeTags?: string[]
  state?: 'expired' | 'revoked' | 'disabled'
}

export const kinds = ['session', 'api_token'] as const
export type Kind = (typeof kinds)[number]

/** Creates a caller's account and a credential of this kind, in the state of the column. */
export async function callerOf({ ports }: MatrixWorld, column: Column, kind: Kind) {
  const { role, scopeTags = [], state } = column
  const passwordHash = await ports.passwords.hash(password)
  const account = await accountOf(ports, { username: 'caller', role, scopeTags, passwordHash })
  const token = kind === 'session' ? await session(ports, state) : await apiToken(ports, state)
  if (state === 'disabled') await ports.accounts.replace({ ...account, disabled: true })
  return { account, token }
}

/** Removes a caller with its credentials, so that the next one can have its name. */
export async function dismiss({ ports }: MatrixWorld, { id }: { id: string }): Promise<void> {
  await ports.apiTokens.remove('own')
  await ports.sessions.removeByAccount(id)
  await ports.accounts.remove(id)
}

type Ports = MatrixWorld['ports']

async function session(ports: Ports, state: Column['state']) {
  const token = await signIn(ports, { username: 'caller' })
  if (state === 'expired') ports.clock.advance(900_000)
  const account = await accountOf(ports, { username: 'caller' })
  if (state === 'revoked') await ports.sessions.removeByAccount(account.id)
  return token
}

/** Creates an API token of the caller, valid for a day. */
export async function apiToken(ports: Ports, state?: Column['state'], id = 'own') {
  const account = await accountOf(ports, { username: 'caller' })
  const token = makeApiToken(ports.random.bytes(64))
  const hash = createHash('sha256').update(token).digest('hex')
  const now = ports.clock.now()
  const times = { createdAt: now, expiresAt: now + day, lastUsedAt: null }
  const about = { id, accountId: account.id, name: `token ${id}`, prefix: 'cst_', scopeTags: [] }
  await ports.apiTokens.create({ ...about, hash, ...times })
  if (state === 'expired') ports.clock.advance(day)
  if (state === 'revoked') await ports.apiTokens.remove(id)
  return token
}
