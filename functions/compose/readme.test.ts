import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { example } from './testing/example.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const readme = read('README.md')

test('the example in the README prints what the README says', () => {
  const code = read('testing/example.ts')
    .replaceAll("'../", "'./")
    .replace(/export const example = (.*)/, 'console.log($1)')
  expect(readme).toContain(`\`\`\`ts\n${code}\`\`\`\n`)
  expect(readme).toContain(`\`\`\`\n${example}\n\`\`\`\n`)
})
