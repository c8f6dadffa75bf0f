import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { groupsOf } from '../../../adapters/lambda/groups.ts'
import { actionsOf } from '../../../adapters/lambda/permissions.ts'
import { present } from '../../../adapters/testing/present.ts'
import { prefix, routes } from '../../../serverless.ts'
import { buildFunctions } from '../../function-zips/build.ts'
import { unzip } from '../unzip.ts'
import { openFrontDoor } from './front-door.ts'
import type { CalledFunction, FunctionOptions } from './function-process.ts'
import { openStoreGate, type StoreGate } from './store-gate.ts'

/** Functions behind an HTTP API. */
export interface DeployedFunctions<F extends CalledFunction> extends AsyncDisposable {
  /** The address of the API, without its prefix. */
  readonly url: string
  readonly functions: ReadonlyMap<string, F>
  /** Where each function is, with its variables. */
  readonly places: ReadonlyMap<string, FunctionOptions>
  /** Calls of the store that roles forbid, such as `users: Scan items`. */
  refused(): string[]
}

interface Options<F extends CalledFunction> {
  /** The directory that `unpackFunctions` has filled. It is only read. */
  code: string
  /** For the directories of temporary files, one for each function. */
  temporary: string
  store: { endpoint: string; table: string }
  /** The variables of all functions. */
  variables: Record<string, string>
  start(options: FunctionOptions): F
}

/** Builds the functions and unpacks each into a directory below this one. */
export async function unpackFunctions(directory: string): Promise<void> {
  for (const { group, content } of await buildFunctions()) {
    for (const [path, file] of unzip(content)) {
      const target = join(directory, group, path)
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, file)
    }
  }
}

/** Deploys the functions as on a cloud: each has a role, and no directory with another. */
export async function deployFunctions<F extends CalledFunction>({
  code,
  temporary,
  store: { endpoint, table },
  variables,
  start,
}: Options<F>): Promise<DeployedFunctions<F>> {
  const functions = new Map<string, F>()
  const places = new Map<string, FunctionOptions>()
  const gates = await openGates(endpoint, table)
  for (const [name, gate] of gates) {
    const directory = join(temporary, name)
    await mkdir(directory, { recursive: true })
    const environment = {
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_ACCESS_KEY_ID: present(process.env.AWS_ACCESS_KEY_ID),
      AWS_SECRET_ACCESS_KEY: present(process.env.AWS_SECRET_ACCESS_KEY),
      SERVICE_DYNAMODB_REGION: present(process.env.SERVICE_DYNAMODB_REGION),
      TMPDIR: directory,
      ...variables,
      SERVICE_DYNAMODB_ENDPOINT: gate.endpoint,
      SERVICE_DYNAMODB_TABLE: table,
    }
    places.set(name, { directory: join(code, name), environment })
    functions.set(name, start({ directory: join(code, name), environment }))
  }
  const door = await openFrontDoor(callsByRoute(functions))
  return {
    url: door.url,
    functions,
    places,
    refused: () =>
      [...gates].flatMap(([group, { refused }]) => refused.map((what) => `${group}: ${what}`)),
    async [Symbol.asyncDispose]() {
      door.close()
      await Promise.all([...functions.values()].map((one) => one.end()))
      for (const gate of gates.values()) gate.close()
    },
  }
}

/** Opens a gate to the store for each function. */
async function openGates(endpoint: string, table: string): Promise<Map<string, StoreGate>> {
  const gates = groupsOf(routes).map(
    async ({ name }) => [name, await openStoreGate(endpoint, table, actionsOf(name))] as const,
  )
  return new Map(await Promise.all(gates))
}

function callsByRoute(functions: ReadonlyMap<string, CalledFunction>) {
  return new Map(
    groupsOf(routes).flatMap(({ name, routes: lines }) =>
      lines.map((line) => {
        const one = present(functions.get(name), name)
        return [line.replace(' ', ` ${prefix}`), (event: string) => one.call(event)] as const
      }),
    ),
  )
}
