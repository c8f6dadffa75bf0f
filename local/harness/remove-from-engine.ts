import { setTimeout as pause } from 'node:timers/promises'
import { askDocker } from '../../adapters/testing/docker.ts'

/** What the Engine lists about an object. */
interface Listed {
  kind: 'container' | 'network' | 'volume'
  id: string
  names: string[]
}

const project = '{{.Label "com.docker.compose.project"}}'
const lists: Record<Listed['kind'], string[]> = {
  container: ['ps', '-a', '--no-trunc', '--format', `{{.Names}},${project},{{.Mounts}}\t{{.ID}}`],
  network: ['network', 'ls', '--format', `{{.Name}},${project}\t{{.ID}}`],
  volume: ['volume', 'ls', '--format', `{{.Name}},${project}\t{{.Name}}`],
}

/**
 * Removes the containers, networks and volumes whose name or project begins with `prefix`, and
 * containers that mount such volumes, as the helpers of a killed service do. A digit after the
 * prefix makes it another name, because some prefixes end with a process ID.
 *
 * An object in use is tried again, because the Engine may still be ending a container.
 *
 * @param within milliseconds
 * @throws an error that names what is left after that time
 */
export async function removeFromEngine(prefix: string, within = 20_000): Promise<void> {
  const until = performance.now() + within
  for (;;) {
    const left = await objectsOf(prefix)
    if (left.length === 0) return
    const reasons = await removeAll(left)
    if (performance.now() > until) {
      const names = left.map(({ kind, names: [name] }) => `${kind} ${name}`)
      throw new Error(`could not remove ${names.join(', ')}: ${reasons.join('; ')}`)
    }
    await pause(200)
  }
}

async function objectsOf(prefix: string): Promise<Listed[]> {
  const isOurs = (name: string) => name.startsWith(prefix) && !/\d/.test(name.charAt(prefix.length))
  const kinds = Object.keys(lists) as Listed['kind'][]
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const text = await askDocker(...lists[kind])
      return text
        .split('\n')
        .filter(Boolean)
        .map((line): Listed => {
          const [names = '', id = ''] = line.split('\t')
          return { kind, id, names: names.split(',') }
        })
    }),
  )
  return found.flat().filter(({ names }) => names.some(isOurs))
}

/** Removes containers first: they use the others. Returns the errors of the Engine. */
async function removeAll(objects: readonly Listed[]): Promise<string[]> {
  const reasons: string[] = []
  for (const [kind, ...words] of [
    ['container', 'rm', '-f', '-v'],
    ['network', 'network', 'rm'],
    ['volume', 'volume', 'rm', '-f'],
  ]) {
    const ids = objects.filter((one) => one.kind === kind).map(({ id }) => id)
    if (ids.length === 0) continue
    if (kind === 'network') for (const id of ids) await disconnectGone(id)
    await askDocker(...words, ...ids).catch((error) => reasons.push(String(error.stderr).trim()))
  }
  return reasons
}

/**
 * Takes away the endpoints of containers that are gone. The Engine can keep them when a container
 * is removed while it starts, and then never removes the network.
 */
async function disconnectGone(network: string): Promise<void> {
  const endpoints = '{{range $id, $one := .Containers}}{{$id}} {{$one.Name}}\n{{end}}'
  const [listed, existing] = await Promise.all([
    askDocker('network', 'inspect', '--format', endpoints, network).catch(() => ''),
    askDocker('ps', '-aq', '--no-trunc'),
  ])
  for (const line of listed.split('\n').filter(Boolean)) {
    const [id = '', name = ''] = line.split(' ')
    if (existing.includes(id)) continue
    await askDocker('network', 'disconnect', '-f', network, name).catch(() => undefined)
  }
}
