import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the folder of the package that a file belongs to, or undefined for a file of our own. */
export function packageOf(input: string): string | undefined {
  return /^(?:[^:]*:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
}

/** Returns the licences of all packages that files belong to, as one text. */
export function licencesOf(inputs: readonly string[]): string {
  const folders = new Set(inputs.map(packageOf).filter((folder) => folder !== undefined))
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(resolve(root, folder, 'package.json'), 'utf8'),
    )
    return `${name} ${version} (${license})\n\n${textIn(resolve(root, folder))}`
  })
  const line = `\n${'-'.repeat(80)}\n\n`
  return `This program contains parts of these packages.\n${line}${texts.join(line)}`
}

function textIn(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
  const files = names.sort().map((name) => join(folder, name))
  return files
    .filter((file) => existsSync(file))
    .map((file) => `${readFileSync(file, 'utf8').trim()}\n`)
    .join('\n')
}
