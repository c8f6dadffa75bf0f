import { memoryEngine } from '../../adapters/testing/memory/engine.ts'
import { agentHost, hostNameOf } from '../../adapters/testing/memory/hosts.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { internalError } from '../../functions/core/errors.ts'
import create from '../../functions/stacks/create.ts'
import deploy from '../../functions/stacks/deploy.ts'
import { call } from './call.ts'

/** Returns all ports in memory, with an Engine in memory as the host `local`. */
export function world() {
  const ports = memoryPorts()
  const engine = memoryEngine({ registry: ['nginx:1', 'nginx:2'], now: () => ports.clock.now() })
  ports.engines.byHost.set('local', engine)
  return { ports, engine }
}

export type World = ReturnType<typeof world>

/** A project with two dependent services, a volume and a variable. */
export const shop = `services:
  db:
    image: busybox:latest
    command: sleep \${SECONDS:-3600}
    volumes: ["data:/data"]
  web:
    image: busybox:latest
    command: sleep 3600
    depends_on: [db]
volumes:
  data:
`

/** Creates a stack and, by default, deploys it. */
export async function givenStack(
  { ports }: World,
  name = 'shop',
  {
    compose = shop,
    deployed = true,
    host,
  }: { compose?: string; deployed?: boolean; host?: string } = {},
) {
  const made = await call(create, { ports, as: 'admin', body: { name, compose, host } })
  if (made.status !== 201) throw new Error(made.text)
  if (!deployed) return
  const done = await call(deploy, { ports, as: 'admin', path: { name }, body: {} })
  if (done.json.status !== 'succeeded') throw new Error(done.text)
}

/** Makes a deployed stack look as one of a version that did not record owners. */
export async function forgetOwners({ ports }: Pick<World, 'ports'>, name = 'shop') {
  const { recordsOwners: _, ...stack } = present(await ports.stacks.find(name))
  await ports.stacks.replace(stack)
  await ports.owners.removeByStack(stack.hostId, name)
}

/** Adds an enrolled host with its own Engine in memory, which can be taken offline. */
export async function givenHost(
  { ports }: Pick<World, 'ports'>,
  id: string,
  { tags = [] as string[] } = {},
) {
  const engine = memoryEngine({ now: () => ports.clock.now() })
  await ports.hosts.create(agentHost(id, tags))
  ports.engines.byHost.set(id, engine)
  const off = () => {
    engine.offline = internalError(`host ${hostNameOf(id)}: it does not respond`, {
      reason: 'host-offline',
    })
  }
  return { engine, off }
}

/** Creates a container that belongs to no stack, running by default. */
export async function givenContainer(
  { engine }: Pick<World, 'engine'>,
  name: string,
  {
    command = ['sleep', '60'],
    started = true,
    env = [] as string[],
    hostConfig = {},
    labels = {},
  } = {},
) {
  const about = { after: [], reason: 'test', service: null }
  const signal = new AbortController().signal
  const body = {
    Image: 'busybox:latest',
    Cmd: command,
    Env: env,
    Labels: labels,
    HostConfig: hostConfig,
  }
  const made = await engine.execute(
    {
      index: 0,
      ...about,
      action: 'create',
      kind: 'container',
      name,
      image: 'busybox:latest',
      body,
    },
    signal,
  )
  if (started) {
    await engine.execute({ index: 1, ...about, action: 'start', kind: 'container', name }, signal)
  }
  return present(made.id)
}
