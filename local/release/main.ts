import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from '../../packaging/build/build.mjs'
import { releaseTime } from '../../packaging/release/epoch.ts'
import { sumsOf, writeSums } from '../../packaging/release/sums.ts'
import { parts } from './parts.ts'
import { unprovenParts } from './second-ring.ts'

/**
 * `npm run release [-- --out DIR] [--partial] [parts …]`: builds all parts of a release, or the
 * named ones, into one folder. The folder appears when it is complete. All parts are built only
 * after the second ring of the tests has passed since the last change of what it covers, unless
 * `--partial` says that this is no complete release.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: 'dist/release' }, partial: { type: 'boolean' } },
})
const unknown = positionals.find((name) => !Object.hasOwn(parts, name))
if (unknown) throw new Error(`unknown part ${unknown}: must be one of ${Object.keys(parts)}`)
const unproven = positionals.length === 0 ? unprovenParts() : []
for (const line of unproven) console.error(line)
if (unproven.length > 0 && !values.partial) {
  console.error('The release is not tested. --partial builds it nevertheless, for a trial.')
  process.exit(3)
}
await build()
const out = resolve(values.out)
const place = { folder: `${out}.part`, time: releaseTime() }
rmSync(place.folder, { recursive: true, force: true })
mkdirSync(place.folder, { recursive: true })
const missing: string[] = []
for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
  const why = await parts[name]?.(place)
  if (why) missing.push(`${name}: ${why}`)
  console.log(why ? `${name}: left out, ${why}` : `${name}: built`)
}
if (missing.length > 0 && !values.partial) {
  console.error('The release is not complete. --partial builds the rest of it.')
  process.exit(3)
}
writeSums(place.folder)
if (existsSync(out)) rmSync(out, { recursive: true })
renameSync(place.folder, out)
for (const [name, sum] of sumsOf(out)) {
  console.log(`${sum}  ${name}  ${(statSync(join(out, name)).size / 1e6).toFixed(1)} MB`)
}
