import { z } from 'zod'
import { Failure } from '../../core/errors.ts'
import { readableContainers } from '../../core/owners/container-owner.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { ContainerProcess, ContainerSummary } from '../../core/records/container.ts'
import { noService } from '../../core/stacks/no-service.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { capped } from '../../kit/reply.ts'
import { ServicePath, ServiceProcess } from './schema.ts'

const cap = 1000
/** Containers that are asked at the same time. */
const atOnce = 8

export default endpoint({
  summary: 'Show the processes of a service',
  description:
    'Returns the processes of its running containers, by name of the container. Command lines can contain passwords, as ' +
    'environments can: they need the permission containers:secrets. Without it only the program is shown.',
  access: 'stacks:read',
  atService: true,
  path: ServicePath,
  returns: z.array(ServiceProcess).max(cap),
  readsSecrets: true,
  errors: { 404: 'No stack or service has that name' },

  async run({ path, caller, note }, ports: Needs<'stacks' | 'hosts' | 'engines'>) {
    const stack = await getStack(path.name, ports)
    const engine = await ports.engines.on(stack.hostId)
    const isOwn = ({ stack: name, service }: ContainerSummary) =>
      name === stack.id && service === path.service
    // Another tool can have made containers of a service that is not in the files.
    const isKnown = Object.hasOwn(stack.services, path.service)
    if (!isKnown && !(await engine.containers({ all: true })).some(isOwn)) {
      throw noService(path.name, path.service, Object.keys(stack.services))
    }
    const running = (await engine.containers({ all: false })).filter(isOwn)
    const own = await readableContainers(running, 'inspect', caller, engine)
    const maySeeCommands = caller.permissions.has('containers:secrets')
    if (maySeeCommands && own.length > 0) note({ secretRead: {} })
    const rows: z.input<typeof ServiceProcess>[] = []
    for (let at = 0; at < own.length && rows.length <= cap; at += atOnce) {
      const some = own.slice(at, at + atOnce)
      const found = await Promise.all(some.map(({ id }) => engine.processes(id).catch(noneIfGone)))
      some.forEach((container, index) => {
        for (const one of found[index] ?? []) rows.push(rowOf(container, one, maySeeCommands))
      })
    }
    return capped(rows, cap)
  },
})

/** A container that was removed since it was listed has no processes. */
function noneIfGone(error: unknown): ContainerProcess[] {
  if (error instanceof Failure && error.status === 404) return []
  throw error
}

const rowOf = (
  { id, name }: ContainerSummary,
  { pid, parentPid, user, started, cpuTime, command }: ContainerProcess,
  maySeeCommands: boolean,
): z.input<typeof ServiceProcess> => ({
  container_id: id,
  container: name,
  pid,
  parent_pid: parentPid,
  user,
  started,
  cpu_time: cpuTime,
  program: command.split(/\s/)[0] ?? '',
  command: maySeeCommands ? command : null,
})
