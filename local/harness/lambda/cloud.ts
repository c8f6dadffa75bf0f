import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { present } from '../../../adapters/testing/present.ts'
import { prefix } from '../../../serverless.ts'
import { freePort } from '../free-port.ts'
import { newPlace, type Place, type Running, startIn } from '../service.ts'
import { type DeployedFunctions, deployFunctions, unpackFunctions } from './deployed-functions.ts'
import { lambdaFunction, type RunningFunction } from './function-process.ts'

/** The functions as on a cloud: an HTTP API, a process per function, and two tables. */
export interface Cloud extends DeployedFunctions<RunningFunction> {
  /** The address of the API, with its prefix. */
  readonly url: string
  readonly setupSecret: string
  /** The process that carries out what needs a host. */
  readonly service: Running
  /** Where that process runs. */
  readonly servicePlace: Place
}

/**
 * Builds and deploys the functions. They share the store of the test run, with the keys in it, and
 * an outside key with a sidecar that has prepared both, and that they pass requests on to. Each has
 * a directory for temporary files of its own, and no other.
 *
 * @param variables further ones of the sidecar
 */
export async function startCloud(variables: Record<string, string> = {}): Promise<Cloud> {
  const port = String(await freePort())
  const sidecar = newPlace({
    SERVICE_ROLE: 'sidecar',
    SERVICE_INTERNAL_PORT: port,
    SERVICE_INTERNAL_ADDRESS: `127.0.0.1:${port}`,
    SERVICE_KEYS: 'store',
    SERVICE_SECRET_KEY: randomBytes(32).toString('base64'),
    ...variables,
  })
  try {
    return await deployBeside(sidecar, await startIn(sidecar))
  } catch (error) {
    await sidecar.remove()
    throw error
  }
}

async function deployBeside(sidecar: Place, service: Running): Promise<Cloud> {
  const code = join(sidecar.directory, 'functions')
  await unpackFunctions(code)
  const variable = (name: string) => present(sidecar.env[name], name)
  const deployed = await deployFunctions({
    code,
    temporary: join(sidecar.directory, 'tmp'),
    store: {
      endpoint: present(process.env.SERVICE_DYNAMODB_ENDPOINT),
      table: variable('SERVICE_DYNAMODB_TABLE'),
    },
    variables: {
      SERVICE_KEYS: 'store',
      SERVICE_SECRET_KEY: variable('SERVICE_SECRET_KEY'),
      SERVICE_INTERNAL_ADDRESS: variable('SERVICE_INTERNAL_ADDRESS'),
      SERVICE_SETUP_SECRET: variable('SERVICE_SETUP_SECRET'),
      SERVICE_OUTBOUND_ALLOW: sidecar.env.SERVICE_OUTBOUND_ALLOW ?? '',
    },
    start: lambdaFunction,
  })
  return {
    ...deployed,
    url: deployed.url + prefix,
    service,
    servicePlace: sidecar,
    setupSecret: variable('SERVICE_SETUP_SECRET'),
    async [Symbol.asyncDispose]() {
      await deployed[Symbol.asyncDispose]()
      await sidecar.remove()
    },
  }
}
