import { expect, onTestFinished, test } from 'vitest'
import { containerLabels } from '../../../functions/compose/create/labels.ts'
import { load } from '../../../functions/compose/load/load.ts'
import fc from '../../../local/harness/properties.ts'
import { unique } from '../../../local/harness/unique.ts'
import { engineClient } from '../transport/client.ts'
import { transportFrom } from '../transport/connect.ts'

const own = ['com.docker.compose.project', 'com.docker.compose.service', 'container-stacks.x']
const key = fc.oneof(
  fc.constantFrom(...own, ...own.map((one) => one.toUpperCase()), ...own.map((one) => ` ${one}`)),
  fc.constantFrom('constructor', 'ä', 'a\u0308', 'A', 'a', 'a.b/c', '<<', '~', '1'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
)
const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('', ' a ', 'a=b', '<&>', '\u2028', '\0', '\ufeff', '$', 'true', '~', '0x1'),
)
/** The labels of ten services, and whether each has them as a list. */
const services = fc.array(
  fc.tuple(fc.dictionary(key, value, { maxKeys: 8, noNullPrototype: true }), fc.boolean()),
  { minLength: 10, maxLength: 10 },
)

test('the Engine stores the labels that the service read, and no reserved one of a file', async () => {
  const client = engineClient(transportFrom(process.env), 'local')
  onTestFinished(() => client.close())
  const name = unique('labels')

  /** Returns the labels of a container as the Engine stores them. */
  async function stored(Labels: Record<string, string>): Promise<Record<string, string>> {
    const body = { Image: 'busybox', Labels }
    const path = '/containers/create'
    const { Id } = await client.json<{ Id: string }>({
      method: 'POST',
      path,
      query: { name },
      body,
    })
    try {
      const call = { method: 'GET', path: `/containers/${Id}/json` } as const
      return (await client.json<{ Config: { Labels: Record<string, string> } }>(call)).Config.Labels
    } finally {
      await client.json({ method: 'DELETE', path: `/containers/${Id}`, query: { force: true } })
    }
  }

  await fc.assert(
    fc.asyncProperty(services, async (all) => {
      const project = projectOf(all)
      for (const [index, [written]] of all.entries()) {
        const container = { service: `s${index}`, number: 1, hash: 'h' }
        const labels = containerLabels(project, container)
        const found = await stored(labels)
        expect(found).toEqual(labels)
        const others = Object.entries(written).filter(([one]) => !own.includes(one))
        expect(Object.entries(found)).toEqual(expect.arrayContaining(others))
        expect([found['com.docker.compose.project'], found['com.docker.compose.service']]).toEqual([
          ...['shop', `s${index}`],
        ])
        expect(found['container-stacks.x']).toBeUndefined()
      }
    }),
    { numRuns: 5, endOnFailure: true },
  )
})

function projectOf(all: readonly (readonly [Record<string, string>, boolean])[]) {
  const written = all.map(([labels, isList], index) => {
    const pairs = Object.entries(labels).map(([one, text]) => [one, text.replaceAll('$', '$$$$')])
    const hasEquals = pairs.some(([one]) => one?.includes('=') || one?.includes('$'))
    const list = pairs.map(([one, text]) => `${one}=${text}`)
    const given = isList && !hasEquals ? list : Object.fromEntries(pairs)
    return [`s${index}`, { image: 'busybox', labels: given }] as const
  })
  const text = JSON.stringify({ services: Object.fromEntries(written) })
  const input = {
    name: 'shop',
    directory: '/srv/shop',
    composeFiles: ['compose.yaml'],
    profiles: [],
    files: { 'compose.yaml': escaped(text) },
    environment: {},
    reach: 'stack' as const,
  }
  return load(input).project
}

/** Escapes characters that YAML would read differently. */
const escaped = (json: string) =>
  json.replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
