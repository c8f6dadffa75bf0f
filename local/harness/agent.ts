import { type ChildProcess, execFile, spawn } from 'node:child_process'
import type { NetConnectOpts } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readCredentials, writeCredentials } from '../../adapters/agent/credentials.ts'
import { enrol } from '../../adapters/agent/enrol.ts'
import { runAgent } from '../../adapters/agent/run.ts'
import { present } from '../../adapters/testing/present.ts'
import { boundToParent } from './bound-process.ts'
import { api, type Place, type Running, until } from './service.ts'

const program = fileURLToPath(new URL('../../dist/agent.js', import.meta.url))

/** The agent program of a host in a process of its own. */
export interface RunningAgent {
  child: ChildProcess
  /** Directory of its key and certificate. */
  directory: string
  lines: string[]
  /** Sends a signal, SIGTERM by default, and waits until the agent has exited. */
  end(signal?: NodeJS.Signals): Promise<void>
}

/** Adds a host and enrols its agent. Returns the host's ID and the agent's directory. */
export async function enrolHost(
  place: Place,
  running: Running,
  token: string,
  { name, tags = [] as string[] }: { name: string; tags?: string[] },
): Promise<{ id: string; directory: string }> {
  const made = await api(running, 'POST', '/hosts', { token, body: { name, tags } })
  if (made.status !== 201) throw new Error(`POST /hosts: ${made.status} ${made.json.error}`)
  const directory = join(place.directory, `agent-${name}`)
  await enrolIn(directory, running, made.json.enrolment.token)
  return { id: made.json.host.id, directory }
}

/** Enrols the agent of a host again. */
export async function enrolAgain(
  running: Running,
  token: string,
  { id, directory }: { id: string; directory: string },
): Promise<void> {
  const { json } = await api(running, 'POST', `/hosts/${id}/enrolment`, { token })
  await enrolIn(directory, running, json.token)
}

async function enrolIn(directory: string, running: Running, token: string): Promise<void> {
  const words = [program, 'enrol', '--server', running.url, '--data', directory]
  const env = { ...process.env, AGENT_TOKEN: token }
  await promisify(execFile)(process.execPath, words, { env })
}

/** Changes the address that an agent connects to. */
export async function setAgentEndpoint(directory: string, endpoint: string): Promise<void> {
  const credentials = await readCredentials(directory)
  if (!credentials) throw new Error(`${directory} is not enrolled`)
  await writeCredentials(directory, { ...credentials, endpoint })
}

/**
 * Starts the agent of an enrolled host. Removing the place stops it.
 *
 * @param prefix words in front of the command line, such as `nsenter …`
 * @param path the program, if it is not that of the build
 */
export function startAgent(
  place: Place,
  directory: string,
  env: Record<string, string> = {},
  prefix: readonly string[] = [],
  path = program,
): RunningAgent {
  const words = [...prefix, process.execPath, path, 'run', '--data', directory]
  const child = spawn(...boundToParent(present(words[0]), words.slice(1)), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const read = (chunk: Buffer) => lines.push(...String(chunk).split('\n').filter(Boolean))
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 0)))
  place.processes.add({ url: '', child, lines, ended } as unknown as Running)
  return {
    child,
    directory,
    lines,
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      await ended
    },
  }
}

/** Waits until the service reports this status of the host. Returns the host. */
export async function untilHostStatus(running: Running, token: string, id: string, status: string) {
  const ask = async () => (await api(running, 'GET', `/hosts/${id}`, { token })).json
  return until(ask, (host) => host.status === status)
}

/**
 * Adds a host and enrols its agent, to be run in this process. Allows more agents than a machine
 * can run as programs.
 */
export async function enrolInProcess(
  place: Pick<Place, 'directory'>,
  running: Pick<Running, 'url'>,
  token: string,
  name: string,
  tags: readonly string[] = [],
) {
  const made = await api(running, 'POST', '/hosts', { token, body: { name, tags } })
  if (made.status !== 201) throw new Error(`POST /hosts: ${made.status} ${made.json.error}`)
  const directory = join(place.directory, `agent-${name}`)
  const version = '0.1.0'
  await enrol({ server: running.url, token: made.json.enrolment.token, directory, version })
  return {
    id: made.json.host.id as string,
    directory,
    /** Connects and reconnects until the signal. `docker` is the address of its Engine. */
    run: (docker: NetConnectOpts, signal: AbortSignal) =>
      runAgent({ directory, docker, version, signal, say: () => {} }),
  }
}
