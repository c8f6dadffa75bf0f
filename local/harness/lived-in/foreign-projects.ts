import { askDocker } from '../../../adapters/testing/docker.ts'
import { livedInVariable } from '../../test/lived-in.mjs'
import { removeFromEngine } from '../remove-from-engine.ts'
import { unique } from '../unique.ts'

/**
 * Makes what people run beside their stacks, once for the test run if a file of it is in the
 * lived-in world: two compose projects of another tool, with volumes and networks, one of them
 * with IPv6, and a container that no project has. Returns a function that removes it.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (!process.env[livedInVariable]) return async () => {}
  const prefix = unique('foreign')
  const remove = () => removeFromEngine(prefix)
  try {
    await Promise.all([addMedia(`${prefix}-media`), addOffice(`${prefix}-office`), addOne(prefix)])
  } catch (error) {
    await remove()
    throw error
  }
  return remove
}

const labelsOf = (project: string) => ['--label', `com.docker.compose.project=${project}`]

/** A project that runs. */
async function addMedia(project: string): Promise<void> {
  const labels = labelsOf(project)
  await Promise.all([
    askDocker('volume', 'create', ...labels, `${project}_films`),
    askDocker('network', 'create', ...labels, `${project}_default`),
  ])
  const mount = ['--volume', `${project}_films:/films`, '--network', `${project}_default`]
  const service = [...labels, '--label', 'com.docker.compose.service=player']
  const words = ['--name', `${project}-player-1`, '--init', ...mount, ...service]
  await askDocker('run', '-d', ...words, 'busybox:latest', 'sleep', '7200')
}

/** A project that was stopped, with a network that has IPv6. */
async function addOffice(project: string): Promise<void> {
  const labels = labelsOf(project)
  const digits = project
    .slice('cst-'.length)
    .replaceAll(/[^0-9a-f]/g, '')
    .slice(0, 10)
  const subnet = `fd${digits.slice(0, 2)}:${digits.slice(2, 6)}:${digits.slice(6, 10)}::/64`
  const ipv6 = ['--ipv6', '--subnet', subnet]
  await askDocker('network', 'create', ...labels, ...ipv6, `${project}_default`)
  for (const service of ['paperless', 'db']) {
    const own = [...labels, '--label', `com.docker.compose.service=${service}`]
    const mount = ['--volume', `${project}_${service}:/data`, '--network', `${project}_default`]
    const words = ['--name', `${project}-${service}-1`, ...own, ...mount]
    await askDocker('create', ...words, 'busybox:latest', 'sleep', '7200')
  }
}

/** A container that was started by hand. */
async function addOne(prefix: string): Promise<void> {
  const mount = ['--volume', `${prefix}-by-hand:/data`]
  const words = ['--name', `${prefix}-by-hand`, '--init', ...mount]
  await askDocker('run', '-d', ...words, 'busybox:latest', 'sleep', '7200')
}
