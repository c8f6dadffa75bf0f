import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { present } from '../../../adapters/testing/present.ts'
import { freePort } from '../free-port.ts'
import { type InFront, type Place, type Running, until } from '../service.ts'
import { concurrentFunction } from './concurrent-function.ts'
import { type DeployedFunctions, deployFunctions } from './deployed-functions.ts'
import type { CalledFunction } from './function-process.ts'

/** The functions of a place, and what its services have in common with them. */
interface PlaceFunctions {
  /** The variables of the service that the functions pass requests on to. */
  variables: Promise<Record<string, string>>
  /** That service, once one has started. */
  service?: Running
  deployed?: Promise<DeployedFunctions<CalledFunction>>
}

/** Variables of a service that mean nothing to a function, or something else. */
const ofServiceAlone = [
  'SERVICE_PORT',
  'SERVICE_AGENT_PORT',
  'SERVICE_DATA_DIR',
  'SERVICE_ROLE',
  'SERVICE_INTERNAL_PORT',
]

/** What no function writes unless it failed. */
const failed = /unhandled rejection|uncaught exception|^Runtime exited|^Task timed out|^Init:/

/**
 * Puts functions in front of the services of each place. The service holds the connections to hosts
 * and answers no requests of clients. The functions outlive it, and go on with the next service
 * that starts in the place.
 *
 * @param code the directory that `unpackFunctions` has filled
 */
export function functionsInFront(code: string): InFront {
  const places = new Map<string, PlaceFunctions>()
  const functionsOf = ({ directory, env }: Place): PlaceFunctions => {
    const known = places.get(directory) ?? { variables: variablesOf(env) }
    places.set(directory, known)
    return known
  }
  return {
    async variables(place) {
      const { variables, service } = functionsOf(place)
      const isBeside = service !== undefined && isRunning(service)
      return { ...place.env, ...(await variables), ...(isBeside ? await ownPorts() : {}) }
    },
    async open(place, started) {
      const functions = functionsOf(place)
      if (!functions.service || !isRunning(functions.service)) functions.service = started
      functions.deployed ??= deploy(code, place, await functions.variables)
      return (await functions.deployed).url
    },
    async respond(path, ask, answer) {
      // Functions respond when it has started. Most tests expect its end, as clients do.
      const { status, json } = answer
      const isDeployment = json?.stack !== undefined && json.steps !== undefined
      if (status !== 202 || !isDeployment || path.endsWith('/cancel')) return answer
      const about = `/stacks/${json.stack}/deployments/${json.id}`
      const read = async () => {
        const found = await ask('GET', about)
        if (found.status !== 200) throw new Error(`GET ${about}: ${found.status}`)
        return found
      }
      return until(read, (found) => found.json.status !== 'running')
    },
    async close({ directory }) {
      const deployed = await places.get(directory)?.deployed
      places.delete(directory)
      if (!deployed) return
      // Before calls in progress end too.
      const failures = failuresOf(deployed)
      await deployed[Symbol.asyncDispose]()
      const refused = deployed.refused()
      if (refused.length > 0) throw new Error(`the roles forbid ${refused.join(', ')}`)
      if (failures.length > 0) throw new Error(`functions failed:\n${failures.join('\n')}`)
    },
  }
}

/** Returns the lines that tell of failed functions. */
const failuresOf = ({ functions }: DeployedFunctions<CalledFunction>) =>
  [...functions].flatMap(([name, one]) =>
    one
      .output()
      .split('\n')
      .filter((line) => failed.test(line))
      .map((line) => `${name}: ${line}`),
  )

const isRunning = ({ child }: Running) => child.exitCode === null && child.signalCode === null

/** Returns the ports of another service of a place. */
async function ownPorts(): Promise<Record<string, string>> {
  const internal = await freePort()
  return {
    SERVICE_PORT: '0',
    SERVICE_INTERNAL_PORT: String(internal),
    SERVICE_INTERNAL_ADDRESS: `127.0.0.1:${internal}`,
  }
}

/** Services of one table have the same key. */
const secretKeyOf = (table: string) => createHash('sha256').update(table).digest('base64')

async function variablesOf(env: Record<string, string>): Promise<Record<string, string>> {
  const port = await freePort()
  const internal = await freePort()
  return {
    SERVICE_ROLE: 'sidecar',
    SERVICE_PORT: String(port),
    SERVICE_FEEDS_URL: `http://127.0.0.1:${port}`,
    SERVICE_INTERNAL_PORT: String(internal),
    SERVICE_INTERNAL_ADDRESS: `127.0.0.1:${internal}`,
    SERVICE_KEYS: 'store',
    SERVICE_SECRET_KEY: secretKeyOf(present(env.SERVICE_DYNAMODB_TABLE)),
  }
}

function deploy(code: string, { directory, env }: Place, variables: Record<string, string>) {
  const all = { ...env, ...variables }
  const { SERVICE_DYNAMODB_ENDPOINT: endpoint = process.env.SERVICE_DYNAMODB_ENDPOINT } = env
  const given = Object.entries(all).filter(([name]) => !ofServiceAlone.includes(name))
  return deployFunctions({
    code,
    temporary: join(directory, 'functions'),
    store: { endpoint: present(endpoint), table: present(env.SERVICE_DYNAMODB_TABLE) },
    variables: Object.fromEntries(given),
    start: concurrentFunction,
  })
}
