import { mkdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildExecutable, buildPackages } from '../packaging/executables/build-executable.ts'
import { bundleProgram } from '../packaging/executables/bundle.ts'
import { nameOf, programs, targets } from '../packaging/executables/targets.ts'
import { ensurePackages } from './setup/packages.mjs'

/** `npm run executables [-- --out DIR] [names …]`: builds all executables, or the named ones. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: 'dist/executables' } },
})
if (!ensurePackages(buildPackages, 'the executables')) process.exit(3)
const out = resolve(values.out)
mkdirSync(out, { recursive: true })
for (const program of programs) {
  const { script } = await bundleProgram(program.main)
  for (const target of targets) {
    const name = `${program.name}-${nameOf(target)}`
    if (!program.systems.includes(target.os)) continue
    if (positionals.length > 0 && !positionals.includes(name)) continue
    buildExecutable(program, script, target, join(out, name))
    console.log(`${name}: ${(statSync(join(out, name)).size / 1e6).toFixed(1)} MB`)
  }
}
