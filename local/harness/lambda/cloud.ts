import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { groupsOf } from '../../../adapters/lambda/groups.ts'
import { actionsOf } from '../../../adapters/lambda/permissions.ts'
import { prefix, routes } from '../../../serverless.ts'
import { buildFunctions } from '../../function-zips/build.ts'
import { freePort } from '../free-port.ts'
import { present } from '../present.ts'
import { newPlace, type Place, type Running, startIn } from '../service.ts'
import { unzip } from '../unzip.ts'
import { type FrontDoor, openFrontDoor } from './front-door.ts'
import { type FunctionOptions, lambdaFunction, type RunningFunction } from './function-process.ts'
import { openStoreGate, type StoreGate } from './store-gate.ts'

/** The functions as on a cloud: an HTTP API, a process per function, and two tables. */
export interface Cloud extends AsyncDisposable {
  /** The address of the API, with its prefix. */
  readonly url: string
  readonly functions: ReadonlyMap<string, RunningFunction>
  /** Where each function is, with its variables. */
  readonly places: ReadonlyMap<string, FunctionOptions>
  readonly setupSecret: string
  /** The process that holds the connections to hosts. */
  readonly service: Running
  /** Calls of the store that roles forbid, such as `users: Scan items`. */
  refused(): string[]
}

/**
 * Builds and deploys the functions. They share the store of the test run, with the keys in it, and
 * an outside key with a sidecar that has prepared both, and that they pass requests on to. Each has
 * a directory for temporary files of its own, and no other.
 */
export async function startCloud(): Promise<Cloud> {
  const port = String(await freePort())
  const sidecar = newPlace({
    SERVICE_ROLE: 'sidecar',
    SERVICE_INTERNAL_PORT: port,
    SERVICE_INTERNAL_ADDRESS: `127.0.0.1:${port}`,
    SERVICE_KEYS: 'store',
    SERVICE_SECRET_KEY: randomBytes(32).toString('base64'),
  })
  try {
    return await deployBeside(sidecar, await startIn(sidecar))
  } catch (error) {
    await sidecar.remove()
    throw error
  }
}

async function deployBeside(sidecar: Place, service: Running): Promise<Cloud> {
  const { SERVICE_SECRET_KEY = '', SERVICE_DYNAMODB_TABLE: table = '' } = sidecar.env
  const directory = join(sidecar.directory, 'functions')
  const gates = new Map<string, StoreGate>()
  const functions = new Map<string, RunningFunction>()
  const places = new Map<string, FunctionOptions>()
  for (const { group, content } of await buildFunctions()) {
    const place = join(directory, group)
    await unpack(content, place)
    const temporary = join(sidecar.directory, 'tmp', group)
    await mkdir(temporary, { recursive: true })
    const endpoint = present(process.env.SERVICE_DYNAMODB_ENDPOINT)
    const gate = await openStoreGate(endpoint, table, actionsOf(group))
    gates.set(group, gate)
    const environment = {
      AWS_LAMBDA_FUNCTION_NAME: group,
      AWS_ACCESS_KEY_ID: present(process.env.AWS_ACCESS_KEY_ID),
      AWS_SECRET_ACCESS_KEY: present(process.env.AWS_SECRET_ACCESS_KEY),
      SERVICE_DYNAMODB_ENDPOINT: gate.endpoint,
      SERVICE_DYNAMODB_REGION: present(process.env.SERVICE_DYNAMODB_REGION),
      SERVICE_DYNAMODB_TABLE: table,
      SERVICE_KEYS: 'store',
      SERVICE_SECRET_KEY,
      SERVICE_INTERNAL_ADDRESS: present(sidecar.env.SERVICE_INTERNAL_ADDRESS),
      TMPDIR: temporary,
      SERVICE_SETUP_SECRET: present(sidecar.env.SERVICE_SETUP_SECRET),
    }
    places.set(group, { directory: place, environment })
    functions.set(group, lambdaFunction({ directory: place, environment }))
  }
  const door = await openFrontDoor(callsByRoute(functions))
  return {
    url: door.url + prefix,
    functions,
    places,
    service,
    setupSecret: present(sidecar.env.SERVICE_SETUP_SECRET),
    refused: () =>
      [...gates].flatMap(([group, { refused }]) => refused.map((what) => `${group}: ${what}`)),
    async [Symbol.asyncDispose]() {
      await close(door, functions, gates)
      await sidecar.remove()
    },
  }
}

function callsByRoute(functions: ReadonlyMap<string, RunningFunction>) {
  return new Map(
    groupsOf(routes).flatMap(({ name, routes: lines }) =>
      lines.map((line) => {
        const one = present(functions.get(name), name)
        return [line.replace(' ', ` ${prefix}`), (event: string) => one.call(event)] as const
      }),
    ),
  )
}

async function close(
  door: FrontDoor,
  functions: ReadonlyMap<string, RunningFunction>,
  gates: ReadonlyMap<string, StoreGate>,
) {
  door.close()
  await Promise.all([...functions.values()].map((one) => one.end()))
  for (const gate of gates.values()) gate.close()
}

async function unpack(archive: Buffer, directory: string): Promise<void> {
  for (const [path, content] of unzip(archive)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), content)
  }
}
