import { PassThrough } from 'node:stream'
import { pack } from 'tar-stream'
import { expect, test } from 'vitest'
import { contextEntries } from './build-context.ts'

const names = ['__proto__', 'constructor', 'toString', 'Dockerfile']

/** Returns the names that a build gets of a directory with those files. */
async function sent(added: Record<string, string>) {
  const source = pack()
  source.entry({ name: 'app/', type: 'directory' })
  for (const name of names) source.entry({ name: `app/${name}` }, 'x')
  source.finalize()
  const options = { ignoring: { ignores: () => false }, always: [], omitted: [] }
  const entries = source.pipe(new PassThrough())
  const found: string[] = []
  for await (const { header, content } of contextEntries(entries, options, added)) {
    found.push(header.name)
    content.resume()
  }
  return found
}

test('a build gets files with names that every object inherits', async () => {
  expect(await sent({})).toEqual(names)
})

test('an added file replaces that of the directory', async () => {
  const added = Object.fromEntries([['__proto__', 'y']])
  expect(await sent(added)).toEqual(['constructor', 'toString', 'Dockerfile'])
})
