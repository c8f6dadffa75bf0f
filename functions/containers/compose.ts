import { type ContainersFile, writeContainers } from '../compose/from-container/compose-file.ts'
import type { ContainerInspection } from '../compose/from-container/inspection.ts'
import { targetEngine } from '../core/hosts/target.ts'
import { askingOf, checkContainer, ownerOfContainer } from '../core/owners/container-owner.ts'
import { lacks } from '../core/owners/rights.ts'
import type { Engine } from '../core/ports/engine.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import { endpoint } from '../kit/endpoint.ts'
import { HostQuery } from '../kit/params.ts'
import { ComposeOfContainers, ContainersToWrite, linesMax } from './compose-schema.ts'

export default endpoint({
  summary: 'Write containers as a compose file',
  description:
    'Returns the files of a stack that would run the containers as they run now: what the Engine shows of each, less what its image and the Engine give. Each container becomes a service of its name. ' +
    'Networks and volumes stay the ones that exist. Which service depends on which is not guessed. ' +
    'Values of variables that look like secrets are in `env`. Without containers:secrets, no values of variables, tests of health checks and options of log drivers are shown. ' +
    'Nothing is changed or stored. What a compose file cannot say is listed in `warnings`.',
  access: 'containers:read',
  atService: true,
  changes: false,
  query: HostQuery,
  body: ContainersToWrite,
  readsSecrets: true,
  returns: ComposeOfContainers,
  errors: {
    403: 'One is a part of the service, and the caller may not change settings',
    404: 'No container or host has that id',
  },

  async run({ query, body, caller, note }, ports: Needs<'hosts' | 'engines'>) {
    const { engine } = await targetEngine(query.host, caller, ports)
    const found = await inspectAll(body.names, caller, engine)
    const hidden = await hiddenAmong(found, caller, engine)
    if (hidden.size < found.length) {
      const id = found.map(({ name }) => name).join(', ')
      note({ secretRead: {}, subject: { kind: 'containers', id } })
    }
    const all = await engine.containers({ all: true })
    const containerNames = new Map(all.map(({ id, name }) => [id, name]))
    return bounded(writeContainers(found, { containerNames, hidden }))
  },
})

/**
 * Returns the containers in the given order, each once. They are read one after another, so that a
 * request keeps an Engine no busier than others do.
 */
async function inspectAll(
  names: readonly string[],
  caller: Caller,
  engine: Engine,
): Promise<ContainerInspection[]> {
  const found = new Map<string, ContainerInspection>()
  for (const name of names) {
    await checkContainer('inspect', name, caller, engine)
    const one = await engine.inspection(name)
    found.set(one.id, one)
  }
  return [...found.values()]
}

/** Returns the ids of the containers whose values the caller may not read. */
async function hiddenAmong(
  found: readonly ContainerInspection[],
  caller: Caller,
  engine: Engine,
): Promise<Set<string>> {
  const installation = await engine.installation()
  const asking = askingOf(caller)
  const ids = found.map(({ id }) => id)
  return new Set(
    ids.filter((id) => lacks('environment', ownerOfContainer(id, installation), asking)),
  )
}

const bounded = ({ warnings, ...files }: ContainersFile) => ({
  ...files,
  warnings: warnings.slice(0, linesMax),
})
