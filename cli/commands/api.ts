import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Client } from '../api/client.ts'
import type { Method } from '../api/endpoints.ts'
import { parseIfJson } from '../api/parse-json.ts'
import { parsePath } from '../api/parse-path.ts'
import { type Call, command } from '../command.ts'
import { failed, wrongUsage } from '../failure.ts'
import { choiceOf } from '../flags/choice.ts'
import { everyPage } from '../follow/every-page.ts'
import type { Io } from '../io.ts'
import { escapeControlCharacters } from '../output/text.ts'
import { readInput } from '../prompt.ts'

const ownArgs = '<method> [path]'
const ownFlags = {
  '-d, --data <json>': 'The body: JSON, @file to read it from a file, or - for standard input',
  '-q, --query <...name=value>': 'A parameter of the query; repeatable',
  '--paginate': 'Follow a truncated list to its end, and print one list',
} as const

export default command({
  args: ownArgs,
  flags: ownFlags,
  details: `
Sends a request with your credential and prints the response. The path is that of the API, with or without /api/v1;
without a method it is GET. \`cli open\` leads to the API's description. Exits with 1 if the service refuses the request,
with 3 or 4 as every command.`,
  examples: [
    'cli api /stacks --jq .[].name',
    'cli api POST /containers/shop-web-1/restart -q timeout=5',
    'cli api PUT /settings -d \'{"auth.lockout_max_attempts": 3}\'',
    'cli api /audit -q action=users --paginate',
  ],
  run: api,
})

async function api({ args, flags, client, print, io }: Call<typeof ownArgs, typeof ownFlags>) {
  const { method, path } = requestOf(args)
  const { resource, query } = parsePath(path, flags.query)
  if (flags.paginate && method !== 'GET') throw wrongUsage('--paginate: only with GET')
  const body = await bodyOf(flags.data, io)
  const service = await client()
  if (flags.paginate) {
    print.data(await everyPage(service, resource, query), (all) =>
      print.line(escapeControlCharacters(JSON.stringify(all))),
    )
    return
  }
  const answer = await send(service, method, resource, { query, body })
  const value = parseIfJson(answer.text)
  print.reply({ value, answer }, () => {
    const text = io.stdout.isTTY ? escapeControlCharacters(answer.text) : answer.text
    if (text !== '') io.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  })
}

/** A request that changes something may take as long as it needs. */
const send = (
  service: Client,
  method: Method,
  path: string,
  options: { query: Record<string, string[]>; body: unknown },
) => service.raw(method, path, { ...options, ...(method !== 'GET' && { timeout: 0 }) })

function requestOf({ method, path }: { method: string; path?: string }) {
  if (path === undefined && method.startsWith('/')) return { method: 'GET' as const, path: method }
  const chosen = choiceOf('method', method.toUpperCase(), ['GET', 'POST', 'PUT', 'DELETE'])
  if (path === undefined || chosen === undefined) throw wrongUsage('missing argument: <path>')
  return { method: chosen, path }
}

async function bodyOf(data: string | undefined, io: Io): Promise<unknown> {
  if (data === undefined) return undefined
  try {
    return JSON.parse(await textOf(data, io))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw wrongUsage(`--data: is not JSON: ${error.message}`)
  }
}

/** The largest body that the service accepts, of an adoption's part. Bytes. */
const bodyMax = 8 * 1024 * 1024

async function textOf(data: string, io: Io): Promise<string> {
  if (data === '-') return readInput(io, bodyMax)
  if (!data.startsWith('@')) return data
  try {
    return await readFile(resolve(io.cwd, data.slice(1)), 'utf8')
  } catch (cause) {
    throw failed(`--data: ${data.slice(1)} cannot be read`, { cause })
  }
}
