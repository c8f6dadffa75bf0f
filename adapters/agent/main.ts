#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { isHarmless } from '../../functions/core/unhandled.ts'
import { version } from '../../functions/core/version.ts'
import { dockerSocket } from './docker-socket.ts'
import { enrol, isUnused } from './enrol.ts'
import { findOwnContainer } from './own-container-id.ts'
import { ownTrial, replaceableProgram } from './replace-program.ts'
import { runAgent } from './run.ts'

const usage = `Usage: agent enrol --server <url> [--token <token>] [--data <directory>]
       agent run [--server <url> --token <token>] [--data <directory>]

Lets a Container Stacks service reach this machine's Docker Engine. It dials out; nothing listens here.
Without --server and --token, they are read from AGENT_SERVER and AGENT_TOKEN. With both, run enrols first, unless
it has enrolled with that token before. The data directory is AGENT_DATA_DIR or
/var/lib/container-stacks-agent, the Engine that of DOCKER_HOST (unix:// or tcp://) or /var/run/docker.sock.
`

/** Runs the agent's program. Returns the exit code: 0 success, 1 failure, 2 wrong usage. */
async function main(): Promise<number> {
  const given = parseArguments()
  if (!given) {
    process.stderr.write(usage)
    return 2
  }
  const { word, values } = given
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  const directory = values.data ?? process.env.AGENT_DATA_DIR ?? '/var/lib/container-stacks-agent'
  const server = values.server ?? process.env.AGENT_SERVER
  const token = values.token ?? process.env.AGENT_TOKEN
  if (word === 'enrol' && !(server && token)) {
    process.stderr.write(usage)
    return 2
  }
  // Before the one-time token is used.
  const docker = word === 'run' && dockerSocket(process.env)
  if (server && token && (word === 'enrol' || (await isUnused(token, directory)))) {
    const { endpoint } = await enrol({ server, token, directory, version })
    process.stdout.write(`This host is enrolled; its agent will connect to ${endpoint}\n`)
  }
  if (!docker) return 0
  const end = new AbortController()
  process.once('SIGTERM', () => end.abort())
  process.once('SIGINT', () => end.abort())
  const say = (line: string) => process.stdout.write(`${line}\n`)
  if (findOwnContainer() === 'unknown') say(unknownContainer)
  const broken = surviveErrors(say, () => end.abort())
  const path = replaceableProgram(process.argv[1], process.env)
  await runAgent({
    directory,
    docker,
    version,
    signal: end.signal,
    say,
    replaceable: path === undefined ? undefined : { path, end: () => end.abort() },
    trial: ownTrial(process.env, () => end.abort()),
  })
  return broken() ? 1 : 0
}

const unknownContainer =
  'the agent runs in a container and cannot find which: until it can, the service protects each container with its data directory or the socket of the Engine'

/** Milliseconds that an agent in an inconsistent state has to shut down. */
const endingMax = 5000

/**
 * Logs unhandled errors instead of letting them end the agent, which would cut the service off from
 * this host. After an exception that may have left the program in an inconsistent state the agent
 * ends, and systemd restarts it. Returns a function that tells whether that happened.
 */
function surviveErrors(say: (line: string) => void, end: () => void): () => boolean {
  let isBroken = false
  const text = (error: unknown) => (error instanceof Error && error.stack) || String(error)
  process.on('unhandledRejection', (error) => say(`unhandled rejection: ${text(error)}`))
  process.on('uncaughtException', (error) => {
    say(`uncaught exception: ${text(error)}`)
    if (isHarmless(error)) return
    isBroken = true
    end()
    setTimeout(() => process.exit(1), endingMax).unref()
  })
  return () => isBroken
}

function parseArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        server: { type: 'string' },
        token: { type: 'string' },
        data: { type: 'string' },
        help: { type: 'boolean' },
      },
    })
    const [word = values.help ? 'run' : '', ...rest] = positionals
    const command = word === 'enroll' ? 'enrol' : word
    const isKnown = command === 'enrol' || command === 'run'
    return isKnown && rest.length === 0 ? { word: command, values } : undefined
  } catch {
    return undefined
  }
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error) => {
    process.stderr.write(`agent: ${(error as Error).message}\n`)
    process.exitCode = 1
  },
)
