import { execFileSync, spawnSync } from 'node:child_process'

/** Returns the paths of the unit tests with properties. */
export const propertyTests = (): string[] =>
  execFileSync('git', ['grep', '-lF', "harness/properties.ts'", '--', '*.test.ts'], {
    encoding: 'utf8',
  })
    .trimEnd()
    .split('\n')
    .filter((path) => !path.endsWith('.engine.test.ts'))

/** Runs the properties of the unit tests with the cases of a seed. Returns the exit code. */
export function runProperties(seed: number): number {
  const words = ['vitest', 'run', '--project', 'unit*', ...propertyTests()]
  const env = { ...process.env, PROPERTY_SEED: String(seed) }
  const { status } = spawnSync('npx', words, { env, stdio: 'inherit' })
  console.log(`PROPERTY_SEED=${seed}`)
  return status ?? 1
}
