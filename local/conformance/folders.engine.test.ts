import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { compareFolder } from './running.ts'

const projects = fileURLToPath(new URL('projects', import.meta.url))

/** Projects with side files that run with images that every machine has. */
const names = [
  ...['built-from-folders', 'included-stacks', 'linked-releases'],
  ...['seeded-directories', 'shop-side-files'],
]

test.each(names)(
  '%s comes up by create and deploy alone, like with docker compose',
  async (name) => {
    const result = await compareFolder({ name, directory: `${projects}/${name}` })
    expect(result).toEqual({ differences: [] })
  },
  180_000,
)
