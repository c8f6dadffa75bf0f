import { mkdir, writeFile } from 'node:fs/promises'
import { buildFunctions } from './build.ts'

const directory = new URL('../../dist/functions/', import.meta.url)
await mkdir(directory, { recursive: true })
for (const { group, content } of await buildFunctions()) {
  await writeFile(new URL(`${group}.zip`, directory), content)
  process.stdout.write(`${group}.zip ${(content.length / 1024 ** 2).toFixed(2)} MB\n`)
}
