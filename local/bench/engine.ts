import { Agent, request } from 'node:http'
import type { Json } from '../../adapters/testing/json.ts'

/** The socket of this machine's Engine. */
export const socketPath = (process.env.DOCKER_HOST ?? 'unix:///var/run/docker.sock').replace(
  'unix://',
  '',
)
const agent = new Agent({ keepAlive: true })

/** Calls the Engine API directly over its socket. Throws for a status that is not a success. */
export function engine(method: string, path: string, body?: unknown): Promise<Json> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, agent, method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString('utf8')
        if ((response.statusCode ?? 500) < 400) resolve(answer ? JSON.parse(answer) : undefined)
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer}`))
      })
    })
    call.on('error', reject)
    call.end(text)
  })
}

/** Returns the query that limits a list to the containers with a label. */
export const labelled = (label: string) =>
  `all=true&filters=${encodeURIComponent(JSON.stringify({ label: [label] }))}`

/** Removes every container with the label, running or not. */
export async function removeLabelled(label: string): Promise<void> {
  const found: { Id: string }[] = await engine('GET', `/containers/json?${labelled(label)}`)
  await forEachConcurrently(found, ({ Id }) => engine('DELETE', `/containers/${Id}?force=true`))
}

/** Runs the work for all items, ten at a time. */
export async function forEachConcurrently<T>(
  items: T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const rest = [...items]
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      for (let item = rest.pop(); item !== undefined; item = rest.pop()) await work(item)
    }),
  )
}
