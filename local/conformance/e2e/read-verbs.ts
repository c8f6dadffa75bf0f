import { writeFileSync } from 'node:fs'
import type { Json } from '../../../adapters/testing/json.ts'
import { callRoute } from './call-route.ts'
import { failedWith, type Output, outputOfResponse, silent } from './output.ts'
import type { OurStack } from './stack.ts'
import { statusOf } from './status.ts'
import { type ComposeWords, lastValue } from './words.ts'

const printed = (stdout: string): Output => ({ ...silent, stdout })

/** Returns the output of the containers. */
export async function logs(
  stack: OurStack,
  { names }: Pick<ComposeWords, 'names'>,
): Promise<Output> {
  const query = { tail: 1000, ...(names.length > 0 && { service: names }) }
  const answer = await callRoute(stack, 'GET /stacks/{name}/logs', { query })
  if (answer.status !== 200) return outputOfResponse(answer)
  const of = (stream: string) =>
    answer.json.flatMap((one: Json) => (one.stream === stream ? [`${one.line}\n`] : [])).join('')
  return { code: 0, stdout: of('stdout'), stderr: of('stderr') }
}

/** Lists the stacks that run, or all, in the format of `ls --format json`. */
export async function list(stack: OurStack, { flags }: ComposeWords): Promise<Output> {
  const { json } = await callRoute(stack, 'GET /stacks')
  const shown = (json as { name: string; services: { running: number } }[]).filter(
    ({ services }) => flags.has('--all') || services.running > 0,
  )
  return printed(`[${shown.map(({ name }) => `{"Name":"${name}"}`).join(',')}]\n`)
}

/** Lists the containers of the stack with their images. */
export async function images(stack: OurStack): Promise<Output> {
  const rows = await statusOf(stack)
  return printed(rows.map(({ name, image }) => `${name} ${image}\n`).join(''))
}

/**
 * Prints the resolved model in the order in which the service returns it, and by name, each with
 * single spaces: docker compose uses either order. What it leaves out of YAML is left out here:
 * entries without a value that its JSON has too.
 */
export async function config(stack: OurStack, { flags }: ComposeWords): Promise<Output> {
  // Without the permission stacks:secrets, the service leaves expressions as they are.
  const as = flags.has('--no-interpolate') ? 'viewer' : 'admin'
  const argv = ['stacks', 'config', stack.path.name, '--output', 'json']
  const { code, stdout, stderr } = await stack.client.run(argv, { as })
  if (code !== 0) return failedWith(stderr, code)
  const model = withoutUnset(JSON.parse(stdout.replaceAll(stack.hostDirectory, stack.directory)))
  return printed(`${flat(model)} \n${flat(sorted(model))} \n`)
}

function withoutUnset({ services, networks, ...rest }: Json): Json {
  const shown = Object.entries(services as Json).map(([name, service]) => {
    const { command, entrypoint, ...others } = service as Json
    const set = Object.entries({ command, entrypoint }).filter(([, value]) => value !== null)
    return [name, { ...Object.fromEntries(set), ...others }]
  })
  const described = Object.entries((networks ?? {}) as Json).map(([key, network]) => {
    const { ipam, ...others } = network as Json
    return [key, Object.keys(ipam ?? {}).length === 0 ? others : network]
  })
  return {
    ...rest,
    services: Object.fromEntries(shown),
    ...(described.length > 0 && { networks: Object.fromEntries(described) }),
  }
}

/** Returns a value as YAML with single spaces. */
function flat(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => `- ${flat(one)}`).join(' ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([key, one]) => `${key}: ${flat(one)}`)
    .join(' ')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]))
}

/** Writes the files of a container to a tar archive. */
export async function exportFiles(stack: OurStack, words: ComposeWords): Promise<Output> {
  const index = lastValue(words, '--index')
  const rows = await statusOf(stack, words.names)
  const row = rows.find(({ number }) => index === undefined || number === Number(index))
  if (!row?.container_id) return failedWith('no such container')
  const file = lastValue(words, '-o', '--output') ?? ''
  const path = { id: row.container_id }
  const parts: Buffer[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const query: { path: string; offset: number } = { path: '/', offset }
    const answer = await callRoute(stack, 'GET /containers/{id}/archive', { path, query })
    if (answer.status !== 200) return outputOfResponse(answer)
    parts.push(Buffer.from(answer.json.data, 'base64'))
    offset = answer.json.next_offset
  }
  writeFileSync(file, Buffer.concat(parts))
  return silent
}
