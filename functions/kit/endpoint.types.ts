/**
 * Code that must not compile. The file never runs: the compiler checks it with the rest, and
 * reports each line below that does compile.
 */
import { z } from 'zod'
import type { Needs, Ports } from '../core/ports/ports.ts'
import { endpoint } from './endpoint.ts'
import { manifest } from './manifest.ts'

const ofName = endpoint({
  summary: 'A thing by its name',
  access: 'stacks:read',
  path: z.object({ name: z.string() }),
  returns: z.object({ text: z.string() }),
  async run({ path, caller }, { clock }: Needs<'clock'>) {
    return { text: `${path.name} ${caller.account.username} ${clock.now()}` }
  },
})
const ofAll = endpoint({
  summary: 'All things',
  access: 'public',
  returns: z.array(z.string()),
  run: () => [],
})
const loaded =
  <T>(made: T) =>
  async () => ({ default: made })

manifest({ 'GET /volumes/{name}': loaded(ofName), 'GET    /volumes': loaded(ofAll) })

// @ts-expect-error the placeholder differs from the one in the schema
manifest({ 'GET /volumes/{id}': loaded(ofName) })
// @ts-expect-error the path lacks the placeholder of the schema
manifest({ 'GET /volumes': loaded(ofName) })
// @ts-expect-error the schema lacks the placeholder of the path
manifest({ 'GET /volumes/{name}': loaded(ofAll) })
// @ts-expect-error one placeholder too many
manifest({ 'GET /volumes/{name}/{id}': loaded(ofName) })
// @ts-expect-error not an endpoint
manifest({ 'GET /volumes': loaded({ summary: 'no' }) })
// @ts-expect-error not a method
manifest({ 'FETCH /volumes': loaded(ofAll) })
// @ts-expect-error its action is not among those of the audit log
manifest({ 'PUT /volumes': loaded(ofAll) })

endpoint({
  summary: 'A permission that does not exist',
  // @ts-expect-error
  access: 'stacks:explode',
  run: () => undefined,
})
// @ts-expect-error `access` is missing
endpoint({ summary: 'The access is not declared', run: () => undefined })

endpoint({
  summary: 'Another shape than it says',
  access: 'public',
  returns: z.object({ text: z.string() }),
  // @ts-expect-error
  run: () => ({ text: 1 }),
})
endpoint({
  summary: 'A part of the shape',
  access: 'public',
  returns: z.object({ text: z.string(), more: z.string() }),
  // @ts-expect-error
  async run() {
    return { text: '' }
  },
})
endpoint({
  summary: 'An answer where none is promised',
  access: 'public',
  // @ts-expect-error
  run: () => ({ text: '' }),
})
endpoint({
  summary: 'A status outside of the table',
  access: 'public',
  // @ts-expect-error
  errors: { 418: 'never' },
  run: () => undefined,
})
endpoint({
  summary: 'A port that was not named',
  access: 'public',
  // @ts-expect-error
  run: (_input, { stacks }: Needs<'clock'>) => stacks,
})
endpoint({
  summary: 'A port that does not exist',
  access: 'public',
  // @ts-expect-error
  run: (_input, _ports: Needs<'database'>) => undefined,
})
endpoint({
  summary: 'A field that the path does not have',
  access: 'public',
  path: z.object({ name: z.string() }),
  // @ts-expect-error
  run: ({ path }) => void path.id,
})
endpoint({
  summary: 'A caller of an endpoint that asks for none',
  access: 'public',
  // @ts-expect-error
  run: ({ caller }) => void caller.account,
})

declare const ports: Ports
ofName.with(ports)
// @ts-expect-error a port is missing
ofName.with({ accessTokens: ports.accessTokens })
// @ts-expect-error it uses an Engine and does not say that it needs the service
endpoint({
  summary: 'Something of an Engine',
  access: 'public',
  run: (_input, _ports: Needs<'engines'>) => undefined,
})
