import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { userCache } from '../../packaging/contents/places.mjs'

const lists = new URL('../osls/', import.meta.url)
const names = ['package.json', 'package-lock.json']

/** Installs osls into a folder of the user's cache, once for each list of packages. */
function install(): string {
  const digest = createHash('sha256')
  for (const name of names) digest.update(readFileSync(new URL(name, lists)))
  const folder = join(userCache, `osls-${digest.digest('hex').slice(0, 12)}`)
  const program = join(folder, 'node_modules/osls/bin/serverless.js')
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true })
    for (const name of names) copyFileSync(new URL(name, lists), join(folder, name))
    const words = ['ci', '--no-audit', '--no-fund', '--ignore-scripts']
    execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  return program
}

/** A template of CloudFormation. */
export interface Template {
  Resources: Record<string, { Type: string; Properties: Record<string, unknown> }>
}

/**
 * Returns the template that `osls package` makes of the `serverless.ts` in a directory. It has no
 * account: the environment has no variables of AWS. It has no other variables of the service and of
 * the functions than the given ones.
 */
export async function packagedBy(
  directory: string,
  out: string,
  variables: Record<string, string> = {},
): Promise<Template> {
  const environment = Object.entries(process.env).filter(
    ([name]) => !/^(AWS|SERVICE|FUNCTIONS)_/.test(name),
  )
  await promisify(execFile)(process.execPath, [install(), 'package', '--package', out], {
    cwd: directory,
    env: Object.fromEntries([...environment, ['HOME', out], ...Object.entries(variables)]),
  })
  const path = join(out, 'cloudformation-template-update-stack.json')
  return JSON.parse(readFileSync(path, 'utf8')) as Template
}
