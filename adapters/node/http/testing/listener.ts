import type { Server } from 'node:http'
import { expect } from 'vitest'
import { z } from 'zod'
import { conflict, internalError, notFound } from '../../../../functions/core/errors.ts'
import { Base64 } from '../../../../functions/kit/base64.ts'
import { type AnyEndpoint, endpoint } from '../../../../functions/kit/endpoint.ts'
import { type Routes, routesOf } from '../../../../functions/kit/manifest.ts'
import { Reply } from '../../../../functions/kit/reply.ts'
import { type MemoryLog, memoryLog } from '../../../testing/memory/log.ts'
import { memoryPorts } from '../../../testing/memory/stores.ts'
import { present } from '../../../testing/present.ts'
import type { RawAnswer } from '../../../testing/raw-http.ts'
import { type ListenOptions, listen } from '../listen.ts'

/** Returns a gate that keeps a handler waiting until the test opens it. */
export function gate() {
  let entered = () => {}
  let open = () => {}
  const inside = new Promise<void>((resolve) => {
    entered = resolve
  })
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return {
    inside,
    open: () => open(),
    async pass() {
      entered()
      await opened
    },
  }
}

/** Returns routes for tests of the listener. */
export function fixtureRoutes(hold = gate()): Routes {
  const answers = z.any()
  const of = (made: AnyEndpoint) => async () => ({ default: made })
  const held = (waits: boolean) =>
    endpoint({
      summary: 'Wait until released',
      access: 'public',
      returns: answers,
      noTimeout: waits,
      run: async () => {
        await hold.pass()
        return { held: true }
      },
    })
  return {
    'GET    /hello': of(
      endpoint({
        summary: 'Greet',
        access: 'public',
        query: z.object({ name: z.string().optional() }),
        returns: answers,
        run: ({ query }) => ({ hello: query.name ?? 'you' }),
      }),
    ),
    'GET    /me': of(
      endpoint({
        summary: 'Name',
        access: 'signed-in',
        returns: answers,
        run: ({ caller }) => ({ username: caller.account.username }),
      }),
    ),
    'POST   /things/{name}': of(
      endpoint({
        summary: 'Return what was sent',
        access: 'public',
        path: z.object({ name: z.string() }),
        body: z.strictObject({ text: z.string() }),
        returns: answers,
        bodyLimit: 1024,
        run: ({ path, body }) => ({ ...path, ...body }),
      }),
    ),
    'POST   /bytes': of(
      endpoint({
        summary: 'Count bytes',
        access: 'public',
        returns: answers,
        readsBytes: true,
        async run({ bytes }) {
          let count = 0
          for await (const chunk of bytes()) {
            count += chunk.length
            if (count > 2048) throw notFound('more than 2048 bytes')
          }
          return { count }
        },
      }),
    ),
    'PUT    /uploads': of(
      endpoint({
        summary: 'Accept a large body',
        access: 'signed-in',
        body: z.strictObject({ data: Base64 }),
        returns: answers,
        bodyLimit: 4096,
        bulkField: 'data',
        run: async ({ body }) => {
          await hold.pass()
          return { bytes: body.data.length }
        },
      }),
    ),
    'PUT    /works': of(
      endpoint({
        summary: 'Accept a large body, and work for long',
        access: 'signed-in',
        body: z.strictObject({ data: Base64 }),
        returns: answers,
        bodyLimit: 4096,
        noTimeout: true,
        run: async ({ body }) => {
          await hold.pass()
          return { bytes: body.data.length }
        },
      }),
    ),
    'DELETE /things/{name}': of(
      endpoint({
        summary: 'Remove',
        access: 'public',
        path: z.object({ name: z.string() }),
        run: () => undefined,
      }),
    ),
    'PUT    /slashes/{name}': of(
      endpoint({
        summary: 'Return a name with slashes',
        access: 'public',
        path: z.object({ name: z.string() }),
        returns: answers,
        encodedSlashes: true,
        run: ({ path }) => path,
      }),
    ),
    'GET    /leave': of(
      endpoint({
        summary: 'Wait until the client disconnects',
        access: 'public',
        returns: answers,
        noTimeout: true,
        async run({ signal }) {
          void hold.pass()
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          throw signal.reason
        },
      }),
    ),
    'GET    /whence': of(
      endpoint({
        summary: 'Return the caller',
        access: 'public',
        returns: answers,
        run: ({ request }) => request.ip,
      }),
    ),
    'GET    /conflict': of(
      endpoint({
        summary: 'Fail with a declared status',
        access: 'public',
        returns: answers,
        errors: { 409: 'always' },
        run: () => {
          throw conflict('it is so', { detail: 'as the Engine says it' })
        },
      }),
    ),
    'GET    /no-image': of(
      endpoint({
        summary: 'Fail because of a registry',
        access: 'public',
        returns: answers,
        errors: { 404: 'The registry has no such image' },
        run: () => {
          throw notFound('the image is not in its registry', { reason: 'registry-refused' })
        },
      }),
    ),
    'GET    /away': of(
      endpoint({
        summary: 'Fail because of a host',
        access: 'public',
        returns: answers,
        run: () => {
          throw internalError('host nas: its agent is offline', { reason: 'host-offline' })
        },
      }),
    ),
    'GET    /broken': of(
      endpoint({
        summary: 'Fail unexpectedly',
        access: 'public',
        returns: answers,
        run: () => {
          throw new Error('secret cause')
        },
      }),
    ),
    'GET    /large': of(
      endpoint({
        summary: 'Return more than a connection buffers',
        access: 'public',
        returns: answers,
        run: () => 'a'.repeat(32 * 1024 * 1024),
      }),
    ),
    'GET    /same': of(
      endpoint({
        summary: 'Respond with 304',
        access: 'public',
        run: () => new Reply(undefined, { status: 304 }),
      }),
    ),
    'GET    /held': of(held(false)),
    'GET    /waits': of(held(true)),
    'GET    /unloadable': async () => {
      throw new Error('secret cause')
    },
  }
}

/** Returns a listener on a free port with its log. It is closed when it goes out of scope. */
export async function listening(options: Partial<ListenOptions> = {}) {
  const log: MemoryLog = memoryLog()
  const ports = memoryPorts()
  const limits = { check: 20, linger: 200, grace: 0, ...options.limits }
  const routes = options.routes ?? fixtureRoutes()
  const listener = await listen({
    prefix: '/api/v1',
    ports,
    log,
    port: 0,
    host: '127.0.0.1',
    ...options,
    routes,
    limits,
  })
  return {
    ...listener,
    ports,
    log,
    routes: routesOf(routes),
    url: `http://127.0.0.1:${listener.port}/api/v1`,
    [Symbol.asyncDispose]: () => listener.close(AbortSignal.abort()),
  }
}

/** Checks that an error has the common format. Returns its message. */
export function expectError(answer: RawAnswer, status: number): string {
  expect(answer.status, answer.body).toBe(status)
  expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  const body = JSON.parse(answer.body)
  expect(Object.keys(body)).toEqual(['error'])
  expect(typeof body.error).toBe('string')
  return body.error
}

/** Resolves when the service has noticed that all of its clients have disconnected. */
export async function untilNoClients({ server }: { server: Server }) {
  const count = () =>
    new Promise((resolve) => {
      server.getConnections((_error, connections) => resolve(connections))
    })
  await expect.poll(count, { interval: 2 }).toBe(0)
}

/** Returns the fields of a request's log line. There must be exactly one. */
export async function lineOf(log: MemoryLog, id: string | undefined) {
  const lines = () => log.lines.filter((line) => line.fields.request_id === id)
  await expect.poll(() => lines().length, { interval: 2 }).toBe(1)
  return present(lines()[0]).fields
}
