import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from './environment.ts'
import { dotenvOf } from './environment.ts'
import { type Output, silent } from './output.ts'
import type { OurStack } from './stack.ts'

/**
 * Creates the stack from its directory with `cli stacks create`, unless that succeeded before. The
 * environment of the caller is sent as the `.env` of the directory.
 */
export async function createOnce(stack: OurStack, environment: Environment): Promise<Output> {
  if (stack.isCreated) return silent
  const file = join(stack.directory, '.env')
  const own = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const text = dotenvOf(environment)
  if (text !== '') writeFileSync(file, text)
  const argv = ['stacks', 'create', stack.path.name]
  const created = await stack.client.run(argv, { cwd: stack.directory })
  if (own !== undefined) writeFileSync(file, own)
  else rmSync(file, { force: true })
  if (created.code !== 0) return created
  stack.isCreated = true
  stack.environment = text
  return silent
}
