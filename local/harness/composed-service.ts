import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import { ownArchitecture } from '../../packaging/contents/architectures.mjs'
import { root } from '../../packaging/contents/places.mjs'
import { findCompose } from '../setup/compose.mjs'
import { freePort } from './free-port.ts'
import { paced } from './pace.ts'
import { removeFromEngine } from './remove-from-engine.ts'
import { until } from './service.ts'
import { unique } from './unique.ts'

/** What names and runs a service in containers. */
interface Parts {
  /** The name of its compose project, with which the names of its containers begin. */
  project: string
  version: string
  /** A directory of this machine, which `remove` removes. Stacks are in its `stacks`. */
  folder: string
  /** The archive of the image. */
  archive: string
  url: string
  /** Runs `docker compose` with its files. Returns the output. */
  compose(...words: string[]): string
  /** Runs a script in its folder, in which `docker compose` is that program. Returns the output. */
  shell(script: string): string
}

/** The project's image, run by its own compose file. */
export interface ComposedService extends Parts {
  /** Waits until it responds. */
  untilHealthy(): Promise<void>
  /** Returns the secret for its first admin, which its log shows. */
  setupSecret(): string
  /** Starts an agent in a container, with the command of an enrolment. Returns its name. */
  runAgent(enrolment: Enrolment): string
  /** Removes it, and all on the Engine whose name or project begins with its own. */
  remove(): Promise<void>
}

interface Enrolment {
  container_command: string
}

/** The group that may use it is `DOCKER_GID` of the compose file. */
export const engineSocket = '/var/run/docker.sock'

/** Builds the image of a version. Returns the path of its archive. */
export function buildImage(architecture: string, version: string, out: string): string {
  const program = join(root, 'packaging/image/build.mjs')
  const words = ['--out', out, '--arch', architecture, '--version', version, '--fast']
  execFileSync(process.execPath, [program, ...words], { stdio: ['ignore', 'ignore', 'inherit'] })
  return join(out, `container-stacks_${version}_image_${architecture}.tar`)
}

/**
 * Builds and loads the image, and starts it with `compose.yaml` and the named compose files of the
 * project. It listens on loopback alone.
 *
 * @param more another compose file, which comes last
 */
export async function composedService(
  word: string,
  names: readonly string[] = [],
  more: object = { services: {} },
): Promise<ComposedService> {
  const project = unique(word)
  const version = `0.0.0-${project}`
  const folder = mkdtempSync(join(tmpdir(), 'container-stacks-composed-'))
  const last = join(folder, 'more.json')
  writeFileSync(last, JSON.stringify(more))
  const files = [...['compose.yaml', ...names].map((name) => join(root, name)), last]
  const port = await freePort()
  const programs = composeWith(project, files, folder, {
    CONTAINER_STACKS_VERSION: version,
    CONTAINER_STACKS_PORT: `127.0.0.1:${port}`,
    CONTAINER_STACKS_AGENT_PORT: `127.0.0.1:${await freePort()}`,
    CONTAINER_STACKS_DIR: join(folder, 'stacks'),
    CONTAINER_STACKS_URL: 'http://service:8080',
    CONTAINER_STACKS_AGENT_ENDPOINT: 'service:8443',
    DOCKER_GID: String(statSync(engineSocket).gid),
  })
  const archive = buildImage(present(ownArchitecture()), version, folder)
  docker('load', '--input', archive)
  const parts = { project, version, folder, archive, url: `http://127.0.0.1:${port}`, ...programs }
  try {
    programs.compose('up', '--detach', '--no-build')
  } catch (error) {
    await remove(parts)
    throw error
  }
  return {
    ...parts,
    untilHealthy: () => untilHealthy(parts),
    setupSecret: () => setupSecret(parts),
    runAgent: (enrolment) => runAgent(enrolment, parts),
    remove: () => remove(parts),
  }
}

/** Where `docker compose` of a script is the program of these tests. */
const asProgram = `docker() {
  if [ "$1" = compose ]; then shift; "$COMPOSE_PROGRAM" "$@"; else command docker "$@"; fi
}
set -e
`

function composeWith(
  project: string,
  files: readonly string[],
  folder: string,
  variables: Record<string, string>,
): Pick<Parts, 'compose' | 'shell'> {
  const program = present(findCompose())
  const own = { COMPOSE_PROJECT_NAME: project, COMPOSE_FILE: files.join(':') }
  const env = { ...process.env, ...variables, ...own, COMPOSE_PROGRAM: program }
  const options = { env, encoding: 'utf8', stdio: 'pipe' } as const
  return {
    compose: (...words) => execFileSync(program, words, options),
    shell: (script) => execFileSync('sh', ['-c', asProgram + script], { ...options, cwd: folder }),
  }
}

/**
 * Waits for the first answer. While the service starts, the proxy of the Engine accepts connections
 * and never answers on them.
 *
 * @throws with the ends of the logs of its containers
 */
async function untilHealthy({ url, compose }: Parts): Promise<void> {
  const ask = () => fetch(`${url}/api/v1/health`, { signal: AbortSignal.timeout(paced(1000)) })
  try {
    await until(
      () => ask().catch(() => undefined),
      (answer) => answer?.status === 200,
    )
  } catch (cause) {
    throw new Error(`the service does not respond:\n${compose('logs', '--tail', '40')}`, { cause })
  }
}

function setupSecret({ compose }: Parts): string {
  const [, found] =
    /first admin.*?\n[^\n]*\n[^\n]*?\s{2}(\S+)$/ms.exec(compose('logs', 'service')) ?? []
  return present(found)
}

function runAgent({ container_command: command }: Enrolment, { project, version }: Parts): string {
  const agent = `${project}-agent`
  const own = command
    .replaceAll('--name container-stacks-agent', `--name ${agent} --network ${project}_default`)
    .replaceAll('container-stacks-agent:/data', `${agent}:/data`)
    .replace(/container-stacks:\S+/, `container-stacks:${version}`)
  execFileSync('sh', ['-c', own], { stdio: 'ignore' })
  return agent
}

async function remove({ project, version, folder, compose }: Parts): Promise<void> {
  // The service removes its helper containers, which no name shows to be of this test.
  compose('stop', 'service')
  await removeFromEngine(project, paced(20_000))
  docker('rmi', `container-stacks:${version}`)
  rmSync(folder, { recursive: true, force: true })
}
