import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import type { NetConnectOpts } from 'node:net'
import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { must } from '../../functions/compose/must.ts'
import { addressText, endpointAddresses } from '../../functions/core/hosts/endpoint.ts'
import { reconnectDelay } from '../../functions/core/hosts/reconnect.ts'
import { ignoreAbort, ignoreResult } from '../../functions/core/promises.ts'
import { type Credentials, readCredentials, writeCredentials } from './credentials.ts'
import { dial } from './dial.ts'
import { findOwnContainer } from './own-container-id.ts'
import { type ProgramReplacement, programReplacement, type Trial } from './replace-program.ts'
import { type AgentDuties, serveConnection } from './serve.ts'

export interface RunOptions {
  /** The directory of the agent's key and certificate. */
  directory: string
  docker: NetConnectOpts
  version: string
  /** Stops the agent. */
  signal: AbortSignal
  /** Logs a line to stdout. */
  say(line: string): void
  /** The path of this program, if the service can replace it, and how to end it then. */
  replaceable?: { path: string; end(): void } | undefined
  /** Set if another agent only tries this program. */
  trial?: Trial | undefined
}

/** Milliseconds after which a connection counts as stable and resets the back-off. */
const stableAfter = 30_000

/**
 * Keeps a connection to the service until the signal aborts. It dials the addresses in turn, with
 * growing pauses while that fails. Throws only if this host is not enrolled or its credentials
 * cannot be read.
 */
export async function runAgent(options: RunOptions): Promise<void> {
  const { directory, say, signal, replaceable, trial } = options
  const instance = trial?.instance ?? randomBytes(16).toString('hex')
  let cut = () => {}
  const reconnect = () => cut()
  const program = replaceable && programReplacement({ ...replaceable, instance, say, reconnect })
  let failures = 0
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    // A new version that is tried has the connection meanwhile.
    await program?.idle()
    if (signal.aborted) return
    const credentials = await readCredentials(directory)
    if (!credentials) throw new Error(`${directory}: this host is not enrolled`)
    const addresses = endpointAddresses(credentials.endpoint)
    const address = must(addresses[attempt % addresses.length], 'address of the service')
    const began = performance.now()
    try {
      const socket = await dial(address, credentials)
      cut = () => socket.destroy()
      signal.addEventListener('abort', cut)
      // The signal may have been aborted during the dial: no event follows.
      if (signal.aborted) cut()
      say(`connected to ${addressText(address)}`)
      const over = new AbortController()
      if (trial) ignoreResult(trial.connected(over.signal))
      const own = { instance, credentials, program }
      const serving = serveConnection(socket, dutiesOf(options, own))
      const refused = await serving.finally(() => over.abort())
      signal.removeEventListener('abort', cut)
      if (!signal.aborted)
        say(refused ? `the service rejected the connection: ${refused}` : 'the connection ended')
    } catch (error) {
      say(`cannot connect: ${(error as Error).message}`)
    }
    failures = performance.now() - began > stableAfter ? 0 : failures + 1
    // Tries every address once before the pause grows.
    const rounds = Math.floor(Math.max(0, failures - 1) / addresses.length)
    const delay = reconnectDelay(rounds, Math.random())
    // Aborted when the agent is stopped.
    await setTimeout(delay, undefined, { signal }).catch(ignoreAbort)
  }
}

/** What a run of an agent has. */
interface Own {
  instance: string
  credentials: Credentials
  program: ProgramReplacement | undefined
}

function dutiesOf(
  { directory, docker, version, say }: RunOptions,
  { instance, credentials, program }: Own,
) {
  let pendingKey: string | undefined
  const duties: AgentDuties = {
    docker,
    facts: () => ({
      version,
      hostname: hostname(),
      instance,
      container: findOwnContainer(),
      replaceable: program !== undefined,
      givenUp: program?.problem,
    }),
    ...(program && { takeProgram: (stream) => program.take(stream) }),
    async requestCertificate() {
      // Loaded on demand, once in two weeks: it would be most of the agent's memory.
      const { makeRequest } = await import('./csr.ts')
      const { key, request } = await makeRequest()
      pendingKey = key
      return request
    },
    async keepCertificate(certificate) {
      if (!pendingKey || !belongs(certificate, pendingKey)) {
        throw new Error('the certificate does not match the generated key')
      }
      await writeCredentials(directory, { ...credentials, certificate, key: pendingKey })
      say('the certificate was renewed')
    },
  }
  return duties
}

function belongs(certificate: string, key: string): boolean {
  return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
}
