import { createHash } from 'node:crypto'
import { filePages } from '../../adapters/node/http/pages.ts'
import type { MemoryEngine } from '../../adapters/testing/memory/engine.ts'
import { hostNameOf } from '../../adapters/testing/memory/hosts.ts'
import { present } from '../../adapters/testing/present.ts'
import { makeApiToken } from '../../functions/core/access/api-token.ts'
import type { Pages } from '../../functions/core/ports/pages.ts'
import { type Permission, permissions } from '../../functions/core/records/permissions.ts'
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
  const made = await deployedWorld
  const { texts, textMarks } = made.ports
  const { ports, engine, far } = await hostsOf({ ...world(), texts: { texts, textMarks } })
  // Later than all that was made, so that no id occurs twice.
  ports.clock.advance(1000)
  for (const stack of await made.ports.stacks.list()) {
    await ports.stacks.create(stack)
    for (const one of await made.ports.deployments.listByStack(stack.id, 10)) {
      await ports.deployments.create(one)
    }
    for (const owner of await made.ports.owners.list(stack.hostId)) await ports.owners.claim(owner)
  }
  copyState(made.engine, engine)
  copyState(made.far, far)
  await addAccounts(ports, permission)
  return { ports, engine }
}

/** The stacks and containers of every world. To deploy them for each took most of its time. */
const deployedWorld = deploy()

async function deploy() {
  const made = await hostsOf({ ...world(), texts: {} })
  made.engine.state.registry.add('busybox:latest')
  await givenStack(made, 'shop', { compose })
  await givenStack(made, 'barn', { compose, host: 'far' })
  const parcel = await givenContainer(made, 'parcel')
  const warden = await givenContainer(made, 'warden', { hostConfig: { Binds: ['/:/host'] } })
  for (const id of [parcel, warden]) {
    present(made.engine.state.containers.get(id)).uploads['/tmp/label'] = 'fragile'
  }
  await givenContainer({ engine: made.far }, 'pallet')
  await givenProject(made, 'loose')
  return made
}

/** Adds the two hosts to a world. */
async function hostsOf({
  ports: given,
  engine,
  texts,
}: World & { texts: Partial<Pick<World['ports'], 'texts' | 'textMarks'>> }) {
  const ports = { ...given, pages: pagesWithProgram(), ...texts }
  const local = present(await ports.hosts.find('local'))
  await ports.hosts.replace({ ...local, name: 'near', tags: ['lab'] })
  const { engine: far } = await givenHost({ ports }, 'far', { tags: ['office'] })
  return { ports, engine, far }
}

/** Gives an Engine the containers and all else that another one has. */
function copyState({ state: from }: MemoryEngine, { state: to }: MemoryEngine) {
  for (const [key, value] of Object.entries(from)) {
    const isCopied = value instanceof Map || value instanceof Set || Array.isArray(value)
    if (isCopied) Object.assign(to, { [key]: structuredClone(value) })
  }
  const last = from.nextId()
  while (to.nextId() < last);
  to.touch()
}

async function addAccounts(ports: World['ports'], permission: Permission | undefined) {
  const rolesOf: [string, readonly Permission[]][] = [
    ['empty', []],
    ['only', permission ? [permission] : []],
    ['except', permissions.filter((one) => one !== permission)],
  ]
  for (const [id, list] of rolesOf) {
    await ports.roles.create({ id, permissions: [...list], createdAt: 0 })
  }
  await accountOf(ports, { id: 'target', username: 'paula', role: 'empty', scopeTags: ['lab'] })
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

/** The compose file of both stacks, and of what runs in `loose`. */
export const compose = 'services: {web: {image: busybox:latest, command: sleep 60}}'

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

/** The id of the account of every caller. */
export const callerId = 'caller'

/**
 * Gives the caller's account the role and scope of the column, and a credential of this kind in its
 * state. Creates the account if it does not exist.
 */
export async function callerOf({ ports }: MatrixWorld, column: Column, kind: Kind) {
  const { role, scopeTags = [], state } = column
  const passwordHash = await ports.passwords.hash(password)
  const account = await accountOf(ports, { id: callerId, username: 'caller', passwordHash })
  const fresh = { passwordHash, sessionsValidFrom: 0, disabled: state === 'disabled' }
  await ports.accounts.replace({ ...account, ...fresh, role, scopeTags })
  return kind === 'session' ? session(ports, state) : apiToken(ports, state)
}

type Ports = MatrixWorld['ports']

const accessLife = 900_000

async function session(ports: Ports, state: Column['state']) {
  const begun = ports.clock.now() - (state === 'expired' ? accessLife : 0)
  const clock = { ...ports.clock, now: () => begun }
  const others = new Set((await ports.sessions.listByAccount(callerId)).map(({ id }) => id))
  const token = await signIn({ ...ports, clock }, { username: 'caller' })
  if (state !== 'revoked') return token
  for (const { id } of await ports.sessions.listByAccount(callerId)) {
    if (!others.has(id)) await ports.sessions.remove(id)
  }
  return token
}

/** Creates an API token of the caller, valid for a day. */
export async function apiToken(ports: Ports, state?: Column['state'], id = 'own') {
  const account = await accountOf(ports, { username: 'caller' })
  const token = makeApiToken(ports.random.bytes(64))
  const hash = createHash('sha256').update(token).digest('hex')
  const createdAt = ports.clock.now() - (state === 'expired' ? day : 0)
  const times = { createdAt, expiresAt: createdAt + day, lastUsedAt: null }
  const about = { id, accountId: account.id, name: `token ${id}`, prefix: 'cst_', scopeTags: [] }
  await ports.apiTokens.create({ ...about, hash, ...times })
  if (state === 'revoked') await ports.apiTokens.remove(id)
  return token
}
