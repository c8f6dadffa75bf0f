import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { present } from '../present.ts'
import type { InFront } from '../service.ts'
import { concurrentFunction } from './concurrent-function.ts'
import { type DeployedFunctions, deployFunctions } from './deployed-functions.ts'
import type { CalledFunction } from './function-process.ts'

/** What all services and functions of a place have in common, by its directory. */
interface Deployment {
  /** The variables of services that they would not have without functions. */
  variables: Record<string, string>
  functions?: DeployedFunctions<CalledFunction>
}

/** Variables of a service that mean nothing to a function, or something else. */
const ofServiceAlone = [
  'SERVICE_PORT',
  'SERVICE_AGENT_PORT',
  'SERVICE_DATA_DIR',
  'SERVICE_ROLE',
  'SERVICE_INTERNAL_PORT',
]

/**
 * Puts functions in front of the services of each place. The service holds the connections to hosts
 * and answers no requests of clients. The functions outlive it, and go on with the next service
 * that starts in the place.
 *
 * @param code the directory that `unpackFunctions` has filled
 */
export function functionsInFront(code: string): InFront {
  const deployments = new Map<string, Deployment>()
  const deploymentOf = async (directory: string) => {
    const deployment = deployments.get(directory) ?? { variables: await variablesOfService() }
    deployments.set(directory, deployment)
    return deployment
  }
  return {
    async variables({ directory, env }) {
      const { variables } = await deploymentOf(directory)
      return { ...env, ...variables }
    },
    async open({ directory, env }) {
      const deployment = await deploymentOf(directory)
      const variables = { ...env, ...deployment.variables }
      deployment.functions ??= await deploy(code, join(directory, 'functions'), variables)
      return deployment.functions.url
    },
    async close({ directory }) {
      const functions = deployments.get(directory)?.functions
      deployments.delete(directory)
      await functions?.[Symbol.asyncDispose]()
      const refused = functions?.refused() ?? []
      if (refused.length > 0) throw new Error(`the roles forbid ${refused.join(', ')}`)
    },
  }
}

async function variablesOfService(): Promise<Record<string, string>> {
  const port = await freePort()
  const internal = await freePort()
  return {
    SERVICE_ROLE: 'sidecar',
    SERVICE_PORT: String(port),
    SERVICE_FEEDS_URL: `http://127.0.0.1:${port}`,
    SERVICE_INTERNAL_PORT: String(internal),
    SERVICE_INTERNAL_ADDRESS: `127.0.0.1:${internal}`,
    SERVICE_KEYS: 'store',
    SERVICE_SECRET_KEY: randomBytes(32).toString('base64'),
  }
}

function deploy(code: string, temporary: string, variables: Record<string, string>) {
  const { SERVICE_DYNAMODB_ENDPOINT: endpoint = process.env.SERVICE_DYNAMODB_ENDPOINT } = variables
  const given = Object.entries(variables).filter(([name]) => !ofServiceAlone.includes(name))
  return deployFunctions({
    code,
    temporary,
    store: { endpoint: present(endpoint), table: present(variables.SERVICE_DYNAMODB_TABLE) },
    variables: Object.fromEntries(given),
    start: concurrentFunction,
  })
}
